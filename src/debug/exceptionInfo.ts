import type { DebugProtocol } from '@vscode/debugprotocol';
import { visible } from '../core/visible.ts';
import { type Fault, faultPlace } from './faults.ts';

/** Answers `exceptionInfo`: of each fault what happened, where, and what usually helps. There is at least one. */
export function exceptionInfo(faults: readonly Fault[]): DebugProtocol.ExceptionInfoResponse['body'] {
  const words = faults.map((one) => visible(`${one.message}\n${faultPlace(one)}\n${one.help}`));
  // Without `stackTrace`: VS Code would write the place once more below the words that have it.
  const [details, ...others] = faults.map((fault): DebugProtocol.ExceptionDetails => ({
    message: visible(fault.message),
    typeName: fault.id,
  }));
  const inner = others.length === 0 ? {} : { innerException: others };
  return {
    exceptionId: faults[0]?.id ?? '',
    description: words.join('\n\n'),
    breakMode: 'always',
    details: { ...details, ...inner },
  };
}
