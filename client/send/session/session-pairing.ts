import { parsePairingCode } from "../../../core/protocol/pairing-code.ts";
import { readPairingLink } from "../../pairing/pairing-link.ts";
import { isPairingOver } from "../../wire/answer-error.ts";
import { parseRelayUrl } from "../../wire/relay-http.ts";
import { explainIn } from "../words/explain.ts";
import type { Computer, SessionDeps } from "./session-view.ts";

/** Pairs, picks and unpairs the computers of one relay. */
export class SessionPairing {
  readonly #deps: SessionDeps;
  /** The computers' current names, by the pairing's token. */
  readonly #names = new Map<string, string>();

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  /** Shows the computers. Never rejects. */
  async read(): Promise<void> {
    const { store, settings, pairings } = this.#deps;
    try {
      const relayUrl = parseRelayUrl(settings().relayUrl);
      const computers = (await pairings.list())
        .filter((pairing) => pairing.relayUrl === relayUrl)
        .map((pairing) => ({
          pairing,
          name: this.#names.get(pairing.token) ?? pairing.deviceName,
        }));
      store.change({ computers });
    } catch (error) {
      this.fail(error);
    }
  }

  /** Asks the relay for each computer: for its name, or whether its pairing has ended. Never rejects. */
  async refresh(): Promise<void> {
    await Promise.all((this.#deps.store.view.computers ?? []).map((one) => this.#lookAt(one)));
  }

  /** Asks for a code, with this one in the field. */
  ask(code: string): void {
    this.#deps.store.change({ code, isPairing: true, codeError: null });
  }

  /** Closes the question; the typed code stays. */
  close(): void {
    this.#deps.store.change({ isPairing: false, codeError: null });
  }

  /** Pairs with the typed code, or with the code in a link of this relay. Resolves with true if it paired. */
  async pair(typed: string): Promise<boolean> {
    const { store, settings, pairings, appId, t, emit } = this.#deps;
    store.change({ codeError: null });
    try {
      const relayUrl = parseRelayUrl(settings().relayUrl);
      const link = readPairingLink(typed);
      if (link !== null && link.relayUrl !== relayUrl) {
        throw new Error(t("send.otherRelay", { relay: link.relayUrl, own: relayUrl }));
      }
      const code = parsePairingCode(link?.code ?? typed);
      if (code === undefined) throw new Error(t("page.codeWrong"));
      const { deviceName } = await pairings.pair(relayUrl, code, {
        name: settings().appName,
        id: appId(),
      });
      const announcement = t("page.paired", { computer: deviceName });
      store.change({ code: "", isPairing: false, notice: null, error: null, announcement });
      await this.read();
      emit?.("paired", { deviceName });
      return true;
    } catch (error) {
      store.change({ codeError: explainIn(t, error) });
      emit?.("error", { error });
      return false;
    }
  }

  /** Makes a computer the target of the next packages. */
  async pick({ pairing }: Computer): Promise<void> {
    await this.#deps.pairings.pick(pairing);
    await this.read();
  }

  /** Ends a pairing, also if it was ended elsewhere. @throws {ClientError} with a sentence to show */
  async unpair({ pairing, name }: Computer): Promise<void> {
    const { store, pairings, t } = this.#deps;
    try {
      await pairings.clientOf(pairing).unpair();
    } catch (error) {
      if (!isPairingOver(error)) throw error;
    }
    await this.read();
    store.change({ announcement: t("page.unpaired", { computer: name }) });
  }

  /** Shows a failure. If it says that this computer's pairing has ended, asks for a new code. */
  fail(error: unknown, computer?: Computer): void {
    const { store, t, emit } = this.#deps;
    if (!this.noticeEnd(error, computer)) store.change({ error: explainIn(t, error) });
    emit?.("error", { error });
  }

  /** Asks for a new code if a failure says that this computer's pairing has ended. Returns whether it does. */
  noticeEnd(error: unknown, computer: Computer | undefined): boolean {
    const { store, t } = this.#deps;
    if (computer === undefined || !isPairingOver(error)) return false;
    const notice = t("page.endedElsewhere", { computer: computer.name });
    store.change({ notice, isPairing: true });
    void this.read();
    return true;
  }

  async #lookAt(computer: Computer): Promise<void> {
    const { pairings } = this.#deps;
    try {
      const { device_name: name } = await pairings.clientOf(computer.pairing).me();
      this.#names.set(computer.pairing.token, name);
      await this.read();
    } catch (error) {
      // An unreachable relay is reported when something is sent.
      this.noticeEnd(error, computer);
    }
  }
}
