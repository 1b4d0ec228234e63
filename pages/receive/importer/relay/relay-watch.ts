import { lastPaired, unannouncedUser } from "../../../../core/importer/code-user.ts";
import type { PackagesRead } from "../../../../core/importer/package-list.ts";
import { PairingCodes } from "../../../../core/importer/pairing-codes.ts";
import type { Pairing } from "../../../../core/panel/panel-pairing.ts";
import { Refresher } from "../../../../core/importer/refresher.ts";
import { RelayUnreachableError } from "../../../../core/importer/relay-errors.ts";
import type {
  ImportablePackage,
  PairedApp,
  PairingReply,
  SocketMessage,
} from "../../../../core/protocol/importer-api.ts";
import type { PanelConnection } from "../../../../core/protocol/panel-api.ts";
import { receiveSentence } from "../../../../core/protocol/receive-sentences.ts";
import { sentenceOf } from "../../../../core/text/sentence-of.ts";
import { ViewStore } from "../../../../core/view-store.ts";
import type { StoredIdentity } from "../receive-database.ts";
import { BROWSER_TIMERS } from "./browser-timers.ts";
import { Notifications } from "./notifications.ts";
import { isUnknownHere, type RelayCalls } from "./relay-calls.ts";

/** Everything is read again after this time, also without a notification. */
const READ_EVERY_MS = 30_000;

/** The state of a relay, as a browser knows it. */
export interface RelayKnown {
  readonly status: PanelConnection["status"];
  readonly trouble: string | null;
  readonly apps: readonly PairedApp[];
  readonly newPairingIds: ReadonlySet<string>;
  readonly packages: readonly ImportablePackage[];
  /** Milliseconds since 1970; the packages' spans count from then. */
  readonly packagesReadAtMs: number;
  readonly pairing: Pairing;
  readonly isReading: boolean;
}

const NOTHING: RelayKnown = {
  status: "connecting",
  trouble: null,
  apps: [],
  newPairingIds: new Set(),
  packages: [],
  packagesReadAtMs: 0,
  pairing: { code: null, readAtMs: 0, usedBy: null },
  isReading: true,
};

interface RelayWatchDeps {
  readonly calls: RelayCalls;
  readonly identity: StoredIdentity;
  /** Called before the packages are read: a report that is sent now is in them (rule R2). */
  readonly beforePackages: () => Promise<void>;
  /** Called with the packages that were read, before they are shown. */
  readonly onPackages: (read: PackagesRead) => Promise<void>;
}

/**
 * Keeps what a browser knows of its relay: reads it after each notification, after each connect, and every 30 s (rules I3,
 * RC4). The token is only sent after `hello` named the instance that made it (rule P9).
 */
export class RelayWatch extends ViewStore<RelayKnown> {
  readonly codes: PairingCodes;
  readonly #deps: RelayWatchDeps;
  readonly #refresher: Refresher;
  readonly #timer: number;
  readonly #notifications: Notifications;
  #isGreeted = false;
  #pairedBefore: ReadonlySet<string> | undefined;
  /** The app that used a code, as the relay said, until the list has it. */
  #used: { readonly appName: string; readonly code: Pairing["code"] } | undefined;

  constructor(deps: RelayWatchDeps) {
    super(NOTHING);
    this.#deps = deps;
    this.codes = new PairingCodes({
      client: deps.calls,
      replaceCode: undefined,
      change: (change) => this.#changePairing(change),
      timers: BROWSER_TIMERS,
      now: () => Date.now(),
    });
    this.#refresher = new Refresher({
      read: () => this.read(),
      onTrouble: (error) => this.#noteTrouble(error),
      timers: BROWSER_TIMERS,
    });
    this.#timer = setInterval(() => this.refresh(), READ_EVERY_MS);
    this.#notifications = new Notifications({
      token: deps.identity.token,
      prepare: () => this.#greet(),
      onOpen: () => this.refresh(),
      onMessage: (message) => this.#handle(message),
      onLost: () => {
        this.#isGreeted = false;
      },
    });
    this.refresh();
  }

  /** Reads everything again in the background. */
  refresh(): void {
    this.#refresher.refresh();
  }

  /** Reads everything. @throws {Error} with a sentence */
  async read(): Promise<void> {
    const { calls, beforePackages, onPackages } = this.#deps;
    if (!this.#isGreeted) await this.#greet();
    await beforePackages();
    const [read] = await Promise.all([calls.packages(), this.#readApps(), this.#readRequest()]);
    await onPackages(read);
    this.change({
      status: "connected",
      trouble: read.trouble ?? null,
      packages: read.packages,
      packagesReadAtMs: Date.now(),
      isReading: false,
    });
  }

  async unpair(pairingId: string): Promise<void> {
    await this.#deps.calls.unpair(pairingId);
    this.change({ apps: this.view.apps.filter((app) => app.pairing_id !== pairingId) });
    this.refresh();
  }

  /** Answers the app that waits for a yes (rule P12). */
  async answerPairing(reply: PairingReply): Promise<void> {
    try {
      await this.#deps.calls.answerPairing(reply);
      if (reply.answer === "deny") this.codes.noteEnded("denied");
    } finally {
      this.refresh();
    }
  }

  /** Stops reading. A code that is shown ends, if the relay answers soon. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#notifications.close();
    await Promise.all([this.codes.close(), this.#refresher.stop()]);
  }

  /** Checks that the relay is the one that knows this browser, before it gets the token. */
  async #greet(): Promise<void> {
    const { instance } = await this.#deps.calls.hello();
    const { instance: known } = this.#deps.identity;
    if (known !== undefined && known !== instance) {
      throw new RelayUnreachableError(receiveSentence("RECEIVE_OTHER_RELAY"));
    }
    this.#isGreeted = true;
  }

  async #readApps(): Promise<void> {
    const [used, pairedBefore] = [this.#used, this.#pairedBefore];
    const { apps } = await this.#deps.calls.apps();
    const { apps: known, pairing } = this.view;
    const ids = apps.map((app) => app.pairing_id);
    const before = (this.#pairedBefore ??= new Set(ids));
    this.change({ apps, newPairingIds: new Set(ids.filter((id) => !before.has(id))) });
    // A list that was asked for before the code was used may not have the app yet.
    if (used !== undefined && used === this.#used) {
      this.#used = undefined;
      this.codes.noteUsed(used.code, lastPaired(apps, used.appName));
    } else if (pairedBefore !== undefined && pairing.code !== null) {
      const user = unannouncedUser(pairing.code, known, apps);
      if (user !== null) this.codes.noteUsed(pairing.code, user);
    }
  }

  async #readRequest(): Promise<void> {
    const { request, ended } = await this.#deps.calls.pairingRequest();
    const known = this.view.pairing;
    if (ended !== undefined) {
      if (known.ended !== ended) this.codes.noteEnded(ended);
    } else if (known.request?.request_id !== request?.request_id) this.#changePairing({ request });
  }

  #handle(message: SocketMessage): void {
    if (message.type === "code.used") {
      this.#used = { appName: message.app_name, code: this.view.pairing.code };
    }
    this.refresh();
  }

  #changePairing(change: Partial<Pairing>): void {
    this.change({ pairing: { ...this.view.pairing, ...change } });
  }

  #noteTrouble(error: unknown): void {
    this.#isGreeted = false;
    const trouble = isUnknownHere(error) ? receiveSentence("RECEIVE_UNKNOWN") : sentenceOf(error);
    const isOffline = error instanceof RelayUnreachableError;
    this.change({ trouble, ...(isOffline && { status: "offline" }) });
  }
}
