import { ClientError } from "../../../client/wire/client-error.ts";
import { Pairings, MemoryPairings } from "../../../client/pairing/pairings.ts";
import { t } from "../../kit/page-language.ts";
import type { PageStore, PageComputer } from "../page-view.ts";
import { localAppId, LocalStoragePairings } from "../../../client/pairing/local-storage.ts";
import { randomId } from "../../../client/wire/random-id.ts";
import { PAGE_APP, pageAppName } from "../../../core/protocol/page-app.ts";
import { VERSION } from "../../../core/version.ts";
import { describeBrowser } from "./describe-browser.ts";

/** The page's actions on its paired computers. */
export class PairingActions {
  readonly #store: PageStore;
  readonly #pairings: Pairings;
  readonly #relayUrl: string;
  /** The computers' current names, by the pairing's token. */
  readonly #names = new Map<string, string>();

  constructor(store: PageStore, pairings: Pairings, relayUrl: string) {
    this.#store = store;
    this.#pairings = pairings;
    this.#relayUrl = relayUrl;
  }

  /** Shows the known computers, then updates each from the relay: its name, or that its pairing has ended. */
  async begin(code: string | null): Promise<void> {
    await this.#read();
    const computers = this.#store.view.computers ?? [];
    if (code !== null || computers.length === 0) this.ask(code ?? "");
    await Promise.all(computers.map((computer) => this.#lookAt(computer)));
  }

  /** Opens the dialog and fills the field with this code. */
  ask(code: string): void {
    this.#store.change({ code, isPairing: true });
  }

  /** Closes the dialog; the typed code stays. */
  close(): void {
    this.#store.change({ isPairing: false });
  }

  /** Pairs with the computer that shows the code. @throws {ClientError} with a sentence to show */
  async pair(code: string): Promise<void> {
    const { deviceName } = await this.#pairings.pair(this.#relayUrl, code);
    await this.#read();
    const announcement = t("page.paired", { computer: deviceName });
    this.#store.change({ code: "", isPairing: false, notice: null, announcement });
  }

  /** Makes a computer the target of the next packages. */
  async pick({ pairing }: PageComputer): Promise<void> {
    await this.#pairings.pick(pairing);
    await this.#read();
  }

  /** Ends a pairing, also if it was ended elsewhere. @throws {ClientError} with a sentence to show */
  async unpair({ pairing, name }: PageComputer): Promise<void> {
    try {
      await this.#pairings.clientOf(pairing).unpair();
    } catch (error) {
      // The pairing was ended elsewhere in the meantime.
      if (!(error instanceof ClientError && error.status === 401)) throw error;
    }
    await this.#read();
    this.#store.change({ announcement: t("page.unpaired", { computer: name }) });
  }

  /** Checks a failed call's error. If the pairing has ended, shows that and asks for a new code. */
  async noticeEnd({ name }: PageComputer, error: unknown): Promise<void> {
    if (!(error instanceof ClientError && error.status === 401)) return;
    await this.#read();
    const notice = t("page.endedElsewhere", { computer: name });
    this.#store.change({ notice, announcement: notice, isPairing: true });
  }

  async #lookAt(computer: PageComputer): Promise<void> {
    try {
      const { device_name: name } = await this.#pairings.clientOf(computer.pairing).me();
      this.#names.set(computer.pairing.token, name);
      await this.#read();
    } catch (error) {
      // An unreachable relay is reported when something is sent.
      await this.noticeEnd(computer, error);
    }
  }

  async #read(): Promise<void> {
    const pairings = await this.#pairings.list();
    const computers = pairings
      .filter(({ relayUrl }) => relayUrl === this.#relayUrl)
      .map((pairing) => ({ pairing, name: this.#names.get(pairing.token) ?? pairing.deviceName }));
    this.#store.change({ computers });
  }
}

/** Opens the page's pairings. Where the browser stores nothing, they last until the page is closed. */
export function openPairings(): Pairings {
  const clientName = `soundferry-page/${VERSION} (${PAGE_APP})`;
  const name = pageAppName(describeBrowser(navigator));
  try {
    const app = { name, id: localAppId() };
    return new Pairings(new LocalStoragePairings(), { app, clientName });
  } catch {
    const app = { name, id: randomId() };
    return new Pairings(new MemoryPairings(), { app, clientName });
  }
}
