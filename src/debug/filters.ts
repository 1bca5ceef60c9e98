import * as l10n from '@vscode/l10n';
import type { CheckpointKind } from '../core/events.ts';
import type { FaultId } from './faults.ts';

/** The check boxes of the Breakpoints view: phases stop as breakpoints, faults as exceptions. */
export type FilterId = PhaseId | FaultId;
export type PhaseId = Exclude<CheckpointKind, 'end'>;

export const phaseIds: readonly PhaseId[] = ['plan', 'reply', 'act', 'observe'];

interface Filter {
  readonly filter: FilterId;
  readonly label: string;
  readonly description: string;
  readonly default: boolean;
  /** What a condition of it is, where that is no expression. */
  readonly conditionDescription?: string;
}

/** As `initialize` reports them, in the user's language. */
export function exceptionFilters(): Filter[] {
  const { t } = l10n;
  return [
    { filter: 'plan', label: t('Plan'), description: t('Before a request leaves'), default: true },
    { filter: 'act', label: t('Act'), description: t('Before each tool call'), default: true },
    {
      filter: 'observe',
      label: t('Observe'),
      description: t('Before the results enter the history'),
      default: true,
    },
    {
      filter: 'reply',
      label: t('Reply'),
      description: t('The reply has arrived, nothing was acted on'),
      default: false,
    },
    {
      filter: 'modelError',
      label: t('Model Error'),
      description: t('The model could not be asked'),
      default: true,
    },
    {
      filter: 'toolFailure',
      label: t('Tool Failure'),
      description: t('A tool failed or ran out of time'),
      default: true,
    },
    {
      filter: 'badArguments',
      label: t('Bad Arguments'),
      description: t('A call that can not be executed'),
      default: true,
    },
    {
      filter: 'unknownTool',
      label: t('Unknown Tool'),
      description: t('A call of a tool that is not there'),
      default: true,
    },
    {
      filter: 'repeatedCall',
      label: t('Repeated Call'),
      description: t('The same call again and again, with the same result'),
      default: true,
    },
    {
      filter: 'limit',
      label: t('Limit Reached'),
      description: t('The round limit or the context floor'),
      default: true,
    },
    {
      filter: 'illegalHistory',
      label: t('Illegal History'),
      description: t('What strict servers refuse'),
      default: true,
    },
    {
      filter: 'truncation',
      label: t('Truncation'),
      description: t('A message left the context'),
      default: false,
    },
    {
      filter: 'unsupportedClaim',
      label: t('Unsupported Claim'),
      description: t('An answer that no call supports'),
      default: false,
    },
    {
      filter: 'silentTruncation',
      label: t('Silent Truncation'),
      description: t('The server seems to have read only a part of the request'),
      default: false,
    },
    {
      filter: 'contextLost',
      label: t('Context Lost'),
      description: t('No message that is sent contains a text; the text is the condition'),
      default: false,
      conditionDescription: t('A text that the model must see, as it stands in a message'),
    },
  ];
}
