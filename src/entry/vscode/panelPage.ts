import type { ToPanel } from '../../core/protocol.ts';
import type { PanelPort } from './panelChannel.ts';

/** The page at the other end, which comes and goes as it is shown and hidden. */
export interface PanelPage {
  /** It has said `ready`, and has taken every post since. */
  readonly isThere: boolean;
  /** It says `ready`. */
  arrive(): void;
  readonly post: (message: ToPanel) => void;
  leave(): void;
}

/**
 * @param onCome it said `ready`
 * @param onGone a post did not arrive, or `leave` was called; the page says `ready` when it is back
 */
export function createPanelPage(port: PanelPort, onCome: () => void, onGone: () => void): PanelPage {
  let isThere = false;
  const leave = () => {
    isThere = false;
    onGone();
  };
  return {
    get isThere() {
      return isThere;
    },
    arrive() {
      isThere = true;
      onCome();
    },
    post: (message) => void port.post(message).then((arrived) => (arrived ? undefined : leave()), leave),
    leave,
  };
}
