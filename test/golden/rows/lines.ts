/** How messages are written into a row's transcript. */
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Body } from './row.ts';

/** Of one transcript: breakpoints are called b1, b2, … in the order in which they come up. */
export function createLines() {
  const breakpoints = new Map<number, string>();
  const breakpointName = (id: number): string => {
    const name = breakpoints.get(id) ?? `b${breakpoints.size + 1}`;
    breakpoints.set(id, name);
    return name;
  };
  const breakpointLine = ({ id, verified, line, message }: DebugProtocol.Breakpoint) =>
    [
      id === undefined ? '' : breakpointName(id),
      verified ? 'verified' : 'unverified',
      line === undefined ? '' : `line ${line}`,
      message ?? '',
    ]
      .filter((word) => word !== '')
      .join(' ');

  /** What of an answer says something, by command; all of it where nothing is named. */
  const answers: Readonly<Record<string, (body: Body) => readonly string[]>> = {
    setBreakpoints: (body) => listOf(body['breakpoints'], breakpointLine),
    setFunctionBreakpoints: (body) => listOf(body['breakpoints'], breakpointLine),
    setExceptionBreakpoints: (body) => listOf(body['breakpoints'], breakpointLine),
    setDataBreakpoints: (body) => listOf(body['breakpoints'], breakpointLine),
    breakpointLocations: (body) => [
      listOf<DebugProtocol.BreakpointLocation>(body['breakpoints'], ({ line }) => String(line)).join(' '),
    ],
    stackTrace: (body) => listOf(body['stackFrames'], frameLine),
    scopes: (body) => listOf<DebugProtocol.Scope>(body['scopes'], ({ name }) => name),
    completions: (body) => [
      listOf<DebugProtocol.CompletionItem>(body['targets'], ({ text, label }) => text ?? label).join(' '),
    ],
    exceptionInfo: (body) => String(body['description']).split('\n'),
  };

  return {
    request: (args: object): string => {
      const { threadId: _thread, ...rest } = args as Record<string, unknown>;
      if (typeof rest['variablesReference'] === 'number') rest['variablesReference'] = '…';
      return Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`;
    },
    answer(command: string, body: Body): string[] {
      const known = answers[command]?.(body) ?? [JSON.stringify(plain(body))];
      // Said by every verb, and only the contrary would be news.
      const isQuiet = (line: string) => ['', '{}', '{"allThreadsContinued":false}'].includes(line);
      return [`← ${command}`, ...known.filter((line) => !isQuiet(line)).map((line) => `    ${line}`)];
    },
    event({ event, body }: DebugProtocol.Event): string {
      const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
      switch (event) {
        case 'stopped': {
          const { reason, description, text, hitBreakpointIds = [], allThreadsStopped } =
            fields as DebugProtocol.StoppedEvent['body'];
          const hit = hitBreakpointIds.length > 0 ? ` [${hitBreakpointIds.map(breakpointName).join()}]` : '';
          const more = text === undefined ? '' : ` | ${text}`;
          const all = allThreadsStopped === false ? '' : ' ALL THREADS';
          return `! stopped ${reason}: ${description}${more}${hit}${all}`;
        }
        case 'output': {
          const { output, category, source, line } = fields as DebugProtocol.OutputEvent['body'];
          const from = source ? ` @${source.name}:${line}` : '';
          return `! output ${category} ${JSON.stringify(output)}${from}`;
        }
        case 'breakpoint':
          return `! breakpoint ${breakpointLine(fields['breakpoint'] as DebugProtocol.Breakpoint)}`;
        default:
          return `! ${event}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`;
      }
    },
    variable({ name, value, presentationHint }: DebugProtocol.Variable): string {
      const mark = presentationHint?.attributes?.includes('readOnly') ? '' : ' ✎';
      return `    ${name}: ${value}${mark}`;
    },
  };
}

function listOf<T>(list: unknown, line: (one: T) => string): string[] {
  return (Array.isArray(list) ? list : []).map((one) => line(one as T));
}

function frameLine({ name, source, line }: DebugProtocol.StackFrame): string {
  return `${name}, ${source?.name}:${line}`;
}

/** Numbers that a client hands back, as what they are good for. */
function plain(body: Body): Body {
  const { variablesReference, presentationHint: _hint, ...rest } = body as Record<string, unknown>;
  const isTree = typeof variablesReference === 'number' && variablesReference > 0;
  return { ...rest, ...(isTree ? { variablesReference: '…' } : {}) };
}

/** Without what depends on the machine, or on who asks. */
export function stable(text: string): string {
  return text
    .replace(/\b\d+\.\d\ds/g, 'N.NNs')
    .replace(/\b\d+ ms\b/g, 'N ms')
    .replace(/that we count \d+/g, 'that we count N')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replace(/session \S+\\n/g, 'session ID\\n')
    .replace(/\brun \d+ (round \d+):/g, '$1:')
    .replace(/\d+ bytes, sha256 \w+/g, 'N bytes, sha256 HASH')
    .replace(/^( {4}id: )s-.*/, '$1ID')
    .replace(/^( {4}(?:tools|total|free|total before edits): )\d+/, '$1N')
    .replace(/\d+ → \d+ of \d+ tokens/g, 'N → N of N tokens')
    .replace(/message\/[^/"]+\/(m\d+)/g, 'message/ID/$1');
}
