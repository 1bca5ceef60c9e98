import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { MessageId } from '../src/core/messages.ts';

/** Brings a message of the list into view and gives it the focus, unfolding what hides it. */
export const RevealContext = createContext<(id: MessageId) => void>(() => undefined);

export function useReveal(): (id: MessageId) => void {
  return useContext(RevealContext);
}
