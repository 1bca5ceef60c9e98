import type { PartId, RequestId } from '../src/core/messages.ts';
import type { Looks } from '../src/core/protocol.ts';
import type { WhatIfAsk } from '../src/core/whatIf.ts';
import { type Known, wireKey } from './panelKnown.ts';
import type { PanelHost } from './panelStore.ts';

/** What a panel asks the host for beyond what it is told: each thing once. */
export function createPanelAsks(
  known: Known,
  host: PanelHost,
  changed: () => void,
  look: (looks: Partial<Looks>) => void,
) {
  /** Asked again when more has come in that may have the text. */
  const askHits = () => {
    if (known.session && known.looks.find !== '')
      host.post({ type: 'find', session: known.session.id, text: known.looks.find });
  };
  return {
    askHits,
    fetchPart: (part: PartId) => {
      if (!known.session || known.fetching.has(part)) return;
      known.fetching.add(part);
      host.post({ type: 'fetchPart', session: known.session.id, part });
      changed();
    },
    fetchWire: (request: RequestId, attempt: number) => {
      if (!known.session || known.wires.has(wireKey(request, attempt))) return;
      // Asked once: null until it is here.
      known.wires.set(wireKey(request, attempt), null);
      host.post({ type: 'wire', session: known.session.id, request, attempt });
    },
    find: (text: string) => {
      known.hits = undefined;
      look({ find: text });
      askHits();
    },
    tryOut: (ask: WhatIfAsk | null) => {
      known.tried = ask ? 0 : undefined;
      look({ whatIf: ask });
      if (known.session) host.post({ type: 'whatIf', session: known.session.id, ask });
    },
  };
}
