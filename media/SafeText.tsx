import { textRuns } from './hiddenText.ts';

/** Text of a model or tool: as text, apart from its surroundings' direction, hidden characters as marks. */
export function SafeText({ text }: { readonly text: string }) {
  const runs = textRuns(text);
  return (
    <bdi class="safe">
      {runs.map((run) => (run.hidden ? <span class="hidden-mark">{run.text}</span> : run.text))}
    </bdi>
  );
}
