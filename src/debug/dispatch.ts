/**
 * Respond, then run: a handler returns its response's body and, apart from it, what happens afterwards.
 * The protocol asks that the response to `continue` stands before the `stopped` that it leads to.
 */
import * as l10n from '@vscode/l10n';
import { Response } from '@vscode/debugadapter/lib/messages.js';
import { ProtocolServer } from '@vscode/debugadapter/lib/protocol.js';
import type { DebugProtocol } from '@vscode/debugprotocol';

export interface Handled {
  readonly body?: object;
  readonly after?: (() => void) | undefined;
}

/** Arguments are what the client sent, unchecked beyond the protocol's types. */
export type Handler = (args: never) => Handled | Promise<Handled>;

/** A refusal with words for the user. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  constructor(
    message: string,
    /** Whether the client should bring it to the user's attention by itself. */
    readonly showUser = false,
    /** Further fields of the response's body. */
    readonly details: object = {},
    /** The protocol's own word for what is wrong, for clients that know it: `notStopped`. */
    readonly code?: string,
  ) {
    super(message);
  }
}

export type Handlers = Readonly<Record<string, Handler>>;

/** A debug adapter over a table of handlers; one response per request, whatever a handler does. */
export class DispatchServer extends ProtocolServer {
  handlers: Handlers = {};
  /** A fault of ours inside a handler; it was answered, and is reported here. */
  onFault: (error: unknown) => void = () => undefined;
  /** Releases everything; called when the client is gone, said or unsaid. */
  close: () => Promise<void> = async () => undefined;

  private open = 0;
  private waiting: (() => void)[] = [];

  /** Does something behind the answers of all requests that are under way: soon, where there are none. */
  afterAnswers(act: () => void): void {
    this.waiting.push(act);
    queueMicrotask(() => this.settle());
  }

  private settle(): void {
    if (this.open > 0) return;
    for (const act of this.waiting.splice(0)) act();
  }

  override dispose(): void {
    this.close().catch(this.onFault);
  }

  protected override dispatchRequest(request: DebugProtocol.Request): void {
    this.open++;
    // The answer never rejects: failures inside are answers too.
    void this.answer(request);
  }

  private async answer(request: DebugProtocol.Request): Promise<void> {
    const response: DebugProtocol.Response = new Response(request);
    let after: (() => void) | undefined;
    try {
      const handler = Object.hasOwn(this.handlers, request.command)
        ? this.handlers[request.command]
        : undefined;
      if (!handler)
        throw new RequestError(l10n.t("Loopscope does not know the request '{0}'.", request.command));
      const returned = handler((request.arguments ?? {}) as never);
      // What needs no waiting is answered and done at once: the next request finds it done.
      const handled = returned instanceof Promise ? await returned : returned;
      if (handled.body) response.body = handled.body;
      after = handled.after;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const { showUser = false, details = {}, code } = error instanceof RequestError ? error : {};
      // Whoever sends a request of ours tells of its refusal.
      const isOurs = String(request.command).startsWith('loopscope/');
      Object.assign(response, {
        success: false,
        message: code ?? message,
        body: { error: { id: 1, format: message, showUser: showUser && !isOurs }, ...details },
      });
      if (!(error instanceof RequestError)) this.onFault(error);
    }
    this.sendResponse(response);
    this.open--;
    this.settle();
    try {
      after?.();
    } catch (error) {
      this.onFault(error);
    }
  }
}
