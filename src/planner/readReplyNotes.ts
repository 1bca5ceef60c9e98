import type { ReadNote } from '../core/ports.ts';

/** What the reader noticed about one reply: one note for each kind, however often it occurred. */
export interface Notes {
  add(code: string, detail: string): void;
  readonly all: readonly ReadNote[];
}

export function createNotes(): Notes {
  const notes: ReadNote[] = [];
  return {
    add(code, detail) {
      if (!notes.some((note) => note.code === code)) notes.push({ code, detail });
    },
    all: notes,
  };
}
