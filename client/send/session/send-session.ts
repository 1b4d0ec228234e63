import { SessionPairing } from "./session-pairing.ts";
import { SessionSending } from "./session-sending.ts";
import { SessionSent } from "./session-sent.ts";
import type { Outgoing, SessionDeps } from "./session-view.ts";

/**
 * Sending without a screen: computers, what is being sent, and what was sent. The element and the relay's page draw its
 * view. The sounds that are put together are a part of their own, `SessionSounds`, which an app can load later.
 */
export class SendSession {
  readonly pairing: SessionPairing;
  readonly sent: SessionSent;
  readonly sending: SessionSending;
  readonly #store: SessionDeps["store"];

  /** @param outgoing describes the sounds to send; null without sounds */
  constructor(deps: SessionDeps, outgoing: () => Outgoing | null) {
    this.#store = deps.store;
    this.pairing = new SessionPairing(deps);
    this.sent = new SessionSent(deps, this.pairing);
    this.sending = new SessionSending(deps, this.pairing, this.sent, outgoing);
    let { computers } = deps.store.view;
    deps.store.subscribe(() => {
      if (deps.store.view.computers === computers) return;
      computers = deps.store.view.computers;
      void this.sending.findUnfinished();
    });
  }

  /**
   * Reads the computers and what an earlier visit left, and follows what was sent. Asks for a code if there is no computer.
   * @param code fills the code's field
   */
  async begin(code: string | null): Promise<void> {
    await this.pairing.read();
    const isUnpaired = this.#store.view.computers?.length === 0;
    if (code !== null || isUnpaired) this.pairing.ask(code ?? "");
    this.sent.follow();
    await this.sending.findUnfinished();
  }
}
