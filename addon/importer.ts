import type { AppsAnswer, PairingCodeAnswer } from "../core/protocol/importer-api.ts";
import { AutoImport } from "./auto-import.ts";
import type { ImportOutcome } from "../core/protocol/import-outcome.ts";
import { InboxWatch } from "./import/inbox.ts";
import type {
  ImportAllOptions,
  ImportAllOutcome,
  ImporterCalls,
  ImportOptions,
  PackagesToImport,
} from "./importer-calls.ts";
import type { ImporterState, StateHolder } from "./importer-state.ts";
import type { ImportRuns } from "./import-runs.ts";
import { RelayError, RelayUnreachableError } from "./link/relay-errors.ts";
import type { RelayLink } from "./link/relay-link.ts";
import type { PackageFinder } from "./package-finder.ts";
import { Refresher } from "./refresher.ts";
import type { RelayMirror } from "./relay-mirror.ts";
import { sentenceOf } from "./sentence-of.ts";
import type { Timers } from "./timers.ts";

export interface ImporterParts {
  readonly holder: StateHolder;
  readonly link: RelayLink;
  readonly mirror: RelayMirror;
  readonly finder: PackageFinder;
  readonly runs: ImportRuns;
  readonly inboxFolder: string;
  readonly isAutomatic: boolean;
  /** Keeps the computer's name for the next start. */
  readonly keepDeviceName: (deviceName: string) => void;
  readonly timers: Timers;
}

/**
 * The importer: one relay, one inbox folder, one host. Its calls work at once, relay or no relay;
 * `start` adds what a long-running one does by itself. `buildImporter` makes one.
 */
export class Importer implements ImporterCalls, AsyncDisposable {
  readonly #parts: ImporterParts;
  readonly #inbox: Refresher;
  readonly #auto: AutoImport;
  #inboxWatch: InboxWatch | undefined;

  constructor(parts: ImporterParts) {
    this.#parts = parts;
    const { finder, holder, timers } = parts;
    const onTrouble = (error: unknown) => holder.change({ diskTrouble: sentenceOf(error) });
    this.#inbox = new Refresher({
      read: async () => void (await this.#readInbox()),
      onTrouble,
      timers,
    });
    this.#auto = new AutoImport({
      listNew: () => finder.listNew(this.state),
      importOne: (packageId) => this.#importNew(packageId, {}),
      onTrouble,
      timers,
    });
  }

  get state(): ImporterState {
    return this.#parts.holder.state;
  }

  /** Calls the listener after each change, with a state that never changes; gives what ends it. */
  subscribe(listener: (state: ImporterState) => void): () => void {
    return this.#parts.holder.subscribe(listener);
  }

  /** Connects to the relay in the background, and watches the inbox; imports by itself if it is to. */
  async start(): Promise<void> {
    const { holder, link, inboxFolder, isAutomatic } = this.#parts;
    if (isAutomatic) holder.subscribe((state) => this.#auto.notice(state));
    holder.changeConnection({ status: "connecting" });
    link.connect();
    this.#inboxWatch = await InboxWatch.start(inboxFolder, {
      onChange: () => this.#inbox.ask(),
      onTrouble: (error) => holder.change({ diskTrouble: sentenceOf(error) }),
    });
  }

  async pairingCode(): Promise<PairingCodeAnswer> {
    const code = await this.#parts.link.client.pairingCode();
    this.#parts.holder.change({ pairing: { code, usedBy: null } });
    return code;
  }

  apps(): Promise<AppsAnswer> {
    return this.#parts.mirror.readApps();
  }

  async unpair(pairingId: string): Promise<void> {
    const { link, holder } = this.#parts;
    await link.client.unpair(pairingId);
    holder.change({ apps: this.state.apps.filter((app) => app.pairing_id !== pairingId) });
  }

  async rename(deviceName: string): Promise<string> {
    const { link, holder, keepDeviceName } = this.#parts;
    const known = await link.client.rename(deviceName);
    keepDeviceName(known);
    holder.change({ deviceName: known });
    return known;
  }

  async packages(): Promise<PackagesToImport> {
    const local = await this.#readInbox();
    try {
      const { packages } = await this.#parts.mirror.readPackages();
      return { packages, local };
    } catch (error) {
      if (!(error instanceof RelayError || error instanceof RelayUnreachableError)) throw error;
      return { packages: [], local, relay_error: error.message };
    }
  }

  async import(source: string, options: ImportOptions = {}): Promise<ImportOutcome> {
    const { finder, runs } = this.#parts;
    try {
      return await runs.run(await finder.find(source), options);
    } finally {
      this.#refresh();
    }
  }

  async importAll(options: ImportAllOptions = {}): Promise<ImportAllOutcome> {
    const { relayUrl } = this.state.connection;
    const packages: ImportOutcome[] = [];
    const failures = new Map<string, string>();
    const done = new Set<string>();
    for (;;) {
      // Looked up anew before each run: someone else may have imported one meanwhile.
      const isOffline = failures.has(relayUrl);
      const found = isOffline
        ? { packages: [], local: await this.#readInbox() }
        : await this.packages();
      noteProblems(found, relayUrl, failures);
      const ids = await this.#parts.finder.listNew(found);
      const next = ids.find((id) => !done.has(id));
      if (next === undefined) break;
      done.add(next);
      try {
        const outcome = await this.#importNew(next, options);
        if (outcome !== undefined) packages.push(outcome);
      } catch (error) {
        if (options.signal?.aborted) throw error;
        failures.set(next, sentenceOf(error));
      }
    }
    return { packages, failures: [...failures].map(([source, error]) => ({ source, error })) };
  }

  /** Cancels what runs, closes every connection; resolves when all is quiet. */
  async close(): Promise<void> {
    const { link, mirror, runs } = this.#parts;
    this.#auto.stop();
    await runs.close();
    await this.#inboxWatch?.[Symbol.asyncDispose]();
    await Promise.all([this.#inbox.stop(), mirror.close(), link.close()]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #importNew(packageId: string, options: ImportAllOptions) {
    const { finder, runs } = this.#parts;
    try {
      return await runs.runIfNew(await finder.find(packageId), options);
    } finally {
      this.#refresh();
    }
  }

  async #readInbox() {
    const local = await this.#parts.finder.readInbox();
    this.#parts.holder.change({ local, diskTrouble: null });
    return local;
  }

  /** Who is only asked a few things reads what it needs when it is asked. */
  #refresh(): void {
    if (this.#inboxWatch === undefined) return;
    this.#inbox.ask();
    this.#parts.mirror.refresh();
  }
}

function noteProblems(found: PackagesToImport, relayUrl: string, failures: Map<string, string>) {
  for (const one of found.local) if ("error" in one) failures.set(one.folder, one.error);
  if (found.relay_error !== undefined) failures.set(relayUrl, found.relay_error);
}
