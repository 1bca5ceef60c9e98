/**
 * The life of one debug session: no agent yet, one being loaded, one at a time being debugged, over. Its client
 * may leave at any moment, so the life is looked at again after every wait: a session that is over begins nothing.
 */
import * as l10n from '@vscode/l10n';
import type { LaunchArguments } from './adapterPorts.ts';
import type { Debuggee, Launched } from './debuggee.ts';
import { RequestError } from './dispatch.ts';

export interface LifecyclePorts {
  /** Makes an agent and its session. Refuses the request when it can't. */
  load(args: LaunchArguments): Promise<Launched>;
  /** Makes it the one that is debugged; it does not run yet. `onFinished`: its last run is over. */
  adopt(launched: Launched, args: LaunchArguments, onFinished: () => void): Debuggee;
  /** The client may set its breakpoints; once. */
  announce(): void;
  /** The session is over by itself or by `terminate`; once. */
  terminated(): void;
}

export interface Lifecycle {
  /** What is being debugged; refuses the request when there is nothing. */
  readonly debuggee: () => Debuggee;
  readonly current: Debuggee | undefined;
  /** Loads the one agent of the session; `loaded` goes on. Refuses the request when there is one already. */
  launch(args: LaunchArguments): Promise<void>;
  /**
   * The same settings, or newer ones, on a new session. The old agent stays until the new one is there: a
   * refusal leaves everything as it was.
   */
  restart(args: LaunchArguments | undefined): Promise<void>;
  /** After the answer to what loaded it: announces it, and lets it run once the client has configured it. */
  readonly loaded: () => void;
  /** The client has set its breakpoints. Refuses the request the second time. */
  configure(): void;
  /** Lets a loaded and configured agent run; once. */
  readonly start: () => void;
  /** Ends the run with a legal history and releases the session; whatever is being loaded is released as it comes. */
  close(): Promise<void>;
  /** Says, once, that the session is over. */
  readonly sayTerminated: () => void;
}

type Stage = 'empty' | 'loading' | 'loaded' | 'over';

export function createLifecycle(ports: LifecyclePorts): Lifecycle {
  let stage: Stage = 'empty';
  let args: LaunchArguments = {};
  let debuggee: Debuggee | undefined;
  let isConfigured = false;
  const said = new Set<'announced' | 'terminated'>();

  /** Asked through a function, since it may have changed in any wait. */
  const is = (one: Stage) => stage === one;
  const over = () => new RequestError(l10n.t('This debug session has ended.'));

  const requireFree = () => {
    if (is('over')) throw over();
    if (is('loading')) throw new RequestError(l10n.t('The agent is still being loaded.'), true);
  };

  const load = async (wanted: LaunchArguments): Promise<void> => {
    args = { ...wanted };
    stage = 'loading';
    const launched = await ports.load(wanted);
    // The new one is there, so the old one can go.
    if (!is('over')) await debuggee?.close();
    if (is('over')) {
      await launched.close();
      throw over();
    }
    const adopted: Debuggee = ports.adopt(launched, wanted, () => finished(adopted));
    debuggee = adopted;
    stage = 'loaded';
  };

  /** As before when loading failed; what ended in the meantime has ended. */
  const settle = (before: LaunchArguments) => {
    if (is('over')) return;
    args = debuggee ? before : args;
    stage = debuggee ? 'loaded' : 'empty';
    if (debuggee?.isOver) finished(debuggee);
  };

  const tryLoad = async (wanted: LaunchArguments): Promise<void> => {
    requireFree();
    const before = args;
    try {
      await load(wanted);
    } catch (error) {
      settle(before);
      throw error;
    }
  };

  /** While another is being loaded, the session lives on with that one. */
  const finished = (one: Debuggee) => {
    if (is('loaded') && one === debuggee) void life.close().then(life.sayTerminated);
  };

  const life: Lifecycle = {
    get current() {
      return debuggee;
    },
    debuggee() {
      if (is('over')) throw over();
      if (!debuggee) throw new RequestError(l10n.t('There is no agent yet.'));
      return debuggee;
    },
    async launch(wanted) {
      if (debuggee && !is('over'))
        throw new RequestError(l10n.t('This debug session has its agent already.'), true);
      await tryLoad(wanted);
    },
    restart: (wanted) => tryLoad({ ...args, ...wanted, session: 'new' }),
    loaded() {
      if (is('over')) return;
      if (!said.has('announced')) ports.announce();
      said.add('announced');
      life.start();
    },
    configure() {
      if (is('over')) throw over();
      if (isConfigured) throw new RequestError(l10n.t('This debug session is configured already.'));
      isConfigured = true;
    },
    start() {
      if (is('loaded') && isConfigured) debuggee?.start();
    },
    async close() {
      stage = 'over';
      await debuggee?.close();
    },
    sayTerminated() {
      if (!said.has('terminated')) ports.terminated();
      said.add('terminated');
    },
  };
  return life;
}
