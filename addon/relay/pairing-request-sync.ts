import type { PairingReply, PairingRequestAnswer } from "../../core/protocol/importer-api.ts";
import { Refresher } from "../../core/importer/refresher.ts";
import type { Timers } from "../timers.ts";
import type { StateStore } from "../state/state-store.ts";
import type { PairingCodes } from "../../core/importer/pairing-codes.ts";
import type { RelayClient } from "./relay-client.ts";

export interface PairingRequestSyncDeps {
  readonly client: Pick<RelayClient, "pairingRequest" | "answerPairing">;
  readonly codes: Pick<PairingCodes, "noteEnded">;
  /** Returns the state store; undefined for a relay that isn't current any more. */
  readonly store: () => StateStore | undefined;
  readonly onTrouble: (error: unknown) => void;
  readonly timers: Timers;
}

/** Keeps the app that waits for approval at one relay in the state (rule P12). */
export class PairingRequestSync {
  readonly #deps: PairingRequestSyncDeps;
  readonly #refresher: Refresher;
  #cancelTimer: () => void = () => undefined;

  constructor(deps: PairingRequestSyncDeps) {
    const { onTrouble, timers } = deps;
    this.#deps = deps;
    const read = async (): Promise<void> => void (await this.read());
    this.#refresher = new Refresher({ read, onTrouble, timers });
  }

  /** Reads the request in the background. */
  refresh(): void {
    this.#refresher.refresh();
  }

  async read(): Promise<PairingRequestAnswer> {
    const { client, codes, store, timers } = this.#deps;
    const answer = await client.pairingRequest();
    const { request, ended } = answer;
    const known = store()?.state.pairing;
    if (known === undefined) return answer;
    if (ended !== undefined) {
      if (known.ended !== ended) codes.noteEnded(ended);
    } else if (known.request?.request_id !== request?.request_id) {
      store()?.changePairing({ request });
    }
    this.#cancelTimer();
    // The request expires with its code, which this importer may not know.
    if (request !== null) {
      const waitMs = Math.max(1, request.expires_in) * 1000;
      this.#cancelTimer = timers.after(waitMs, () => this.refresh());
    }
    return answer;
  }

  /** Approves or denies the request. @throws {RelayError} 404 once the request is over */
  async answer(reply: PairingReply): Promise<void> {
    const { client, codes, store } = this.#deps;
    try {
      await client.answerPairing(reply);
      if (reply.answer === "deny" && store() !== undefined) codes.noteEnded("denied");
    } finally {
      this.refresh();
    }
  }

  async stop(): Promise<void> {
    this.#cancelTimer();
    await this.#refresher.stop();
  }
}
