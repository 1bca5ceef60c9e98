import type { DebugProtocol } from '@vscode/debugprotocol';
import { exceptionFilters } from './filters.ts';

/** What the adapter can do; nothing is advertised before it works. */
export function capabilities(): DebugProtocol.Capabilities {
  return {
    supportsConfigurationDoneRequest: true,
    supportsFunctionBreakpoints: true,
    supportsConditionalBreakpoints: true,
    supportsHitConditionalBreakpoints: true,
    supportsLogPoints: true,
    supportsDataBreakpoints: true,
    supportsBreakpointLocationsRequest: true,
    supportsExceptionFilterOptions: true,
    supportsExceptionInfoRequest: true,
    supportsEvaluateForHovers: true,
    supportsCompletionsRequest: true,
    completionTriggerCharacters: ['.', '"', "'"],
    supportsSetVariable: true,
    supportsSetExpression: true,
    supportsStepBack: true,
    supportsRestartRequest: true,
    supportsTerminateRequest: true,
    exceptionBreakpointFilters: exceptionFilters().map((filter) => ({ ...filter, supportsCondition: true })),
  };
}
