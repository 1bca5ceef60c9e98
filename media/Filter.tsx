import type { RowFilter } from '../src/core/protocol.ts';
import { counted } from './names.ts';
import { usePanel } from './usePanel.ts';

const roles = ['system', 'user', 'assistant', 'tool'] as const;

/** Which messages are listed: by role, tool, what happened to them; and which rounds stand out. */
export function Filter() {
  const { store, say } = usePanel();
  const { filter } = store.looks;
  const set = (name: keyof RowFilter, value: string) => {
    const { [name]: _before, ...rest } = filter;
    store.look({ filter: value === '' ? rest : { ...rest, [name]: value } });
  };
  const changes = counted.map((change) => [change, say(`change.${change}`)] as const);
  const { anomaly: _off, ...rows } = filter;
  return (
    <div class="filter" role="group" aria-label={say('filter')}>
      <Choice
        label={say('filter.role')}
        value={filter.role}
        of={roles.map((role) => [role, role])}
        onChoose={(value) => set('role', value)}
      />
      <Choice
        label={say('filter.tool')}
        value={filter.tool}
        of={toolsOf(store).map((name) => [name, name])}
        onChoose={(value) => set('tool', value)}
      />
      <Choice
        label={say('filter.change')}
        value={filter.change}
        of={changes}
        onChoose={(value) => set('change', value)}
      />
      <label>
        <input
          type="checkbox"
          checked={filter.anomaly === true}
          onChange={(event) =>
            store.look({ filter: event.currentTarget.checked ? { ...rows, anomaly: true } : rows })
          }
        />{' '}
        {say('filter.anomaly')}
      </label>
    </div>
  );
}

/** The agent's tools, and those that were called. */
function toolsOf({ session, state }: ReturnType<typeof usePanel>['store']): string[] {
  const called = state.runs
    .flatMap((run) => run.rounds)
    .flatMap((round) => round.calls.map(({ name }) => name));
  return [...new Set([...Object.keys(session?.effects ?? {}), ...called])].toSorted();
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly of: readonly (readonly [value: string, name: string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value = '', of, onChoose }: ChoiceProps) {
  const { say } = usePanel();
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">{say('filter.all')}</option>
        {of.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
