import { parsePairingCode } from "../../core/protocol/pairing-code.ts";
import { ClientError } from "../wire/client-error.ts";
import type { Pairing } from "../pairing/pairings.ts";
import { readPairingLink } from "../pairing/pairing-link.ts";
import { parseRelayUrl } from "../wire/relay-http.ts";
import { explainIn } from "../send/words/explain.ts";
import type { ElementDeps } from "./element-view.ts";

/** Pairs, picks and unpairs computers. No method rejects. */
export class PairingActions {
  readonly #deps: ElementDeps;

  constructor(deps: ElementDeps) {
    this.#deps = deps;
  }

  /** Shows the computers, or asks for a code if there are none. */
  async read(): Promise<void> {
    const { store, settings, pairings } = this.#deps;
    try {
      const relayUrl = parseRelayUrl(settings().relayUrl);
      const computers = (await pairings().list()).filter((one) => one.relayUrl === relayUrl);
      store.change({ computers, isPairing: store.view.isPairing || computers.length === 0 });
    } catch (error) {
      this.showError(error);
    }
  }

  /** Opens the form with this code in its field. */
  ask(code: string): void {
    this.#deps.store.change({ code, isPairing: true, errors: [] });
  }

  close(): void {
    this.#deps.store.change({ isPairing: false, errors: [] });
  }

  /** Pairs with the typed code, or with the code in a link of this relay. Resolves with true if it paired. */
  async pair(typed: string): Promise<boolean> {
    const { store, settings, pairings, t, emit } = this.#deps;
    store.change({ errors: [] });
    try {
      const relayUrl = parseRelayUrl(settings().relayUrl);
      const link = readPairingLink(typed);
      if (link !== null && link.relayUrl !== relayUrl) {
        throw new Error(t("send.otherRelay", { relay: link.relayUrl, own: relayUrl }));
      }
      const code = parsePairingCode(link?.code ?? typed);
      if (code === undefined) throw new Error(t("page.codeWrong"));
      const { deviceName } = await pairings().pair(relayUrl, code);
      store.change({
        code: "",
        isPairing: false,
        announcement: t("page.paired", { computer: deviceName }),
      });
      await this.read();
      emit("paired", { deviceName });
      return true;
    } catch (error) {
      this.showError(error);
      return false;
    }
  }

  /** Makes this computer the target. */
  async pick(computer: Pairing): Promise<void> {
    await this.#deps.pairings().pick(computer);
    await this.read();
  }

  async unpair(computer: Pairing): Promise<void> {
    const { store, pairings, t } = this.#deps;
    try {
      await pairings().clientOf(computer).unpair();
    } catch (error) {
      // A 401 means that the pairing was ended elsewhere.
      if (!isUnpaired(error)) return this.showError(error);
    }
    await this.read();
    store.change({ announcement: t("page.unpaired", { computer: computer.deviceName }) });
  }

  /** Shows an error; if it says that the pairing has ended, asks for a new code. */
  showError(error: unknown, computer?: Pairing): void {
    const { store, t, emit } = this.#deps;
    const hasEnded = computer !== undefined && isUnpaired(error);
    store.change({
      errors: [
        hasEnded
          ? t("page.endedElsewhere", { computer: computer.deviceName })
          : explainIn(t, error),
      ],
    });
    emit("error", { error });
    if (hasEnded) void this.read();
  }
}

function isUnpaired(error: unknown): boolean {
  return error instanceof ClientError && error.status === 401;
}
