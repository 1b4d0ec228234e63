import type { PanelConnection, PanelHost, PanelRun } from "../../core/protocol/panel-api.ts";
import type { ImportedTrack } from "../../core/protocol/import-outcome.ts";
import type { Pairing } from "../../core/panel/panel-pairing.ts";
import type { FinishedRun, ImporterState, ReadList } from "./importer-state.ts";

const MAX_FINISHED_RUNS = 20;

/** The state of a new importer. */
export interface InitialState {
  readonly deviceName: string;
  readonly connection: Pick<PanelConnection, "relayUrl" | "suggestedRelayUrl" | "fixedBecause">;
  readonly host: Pick<PanelHost, "name" | "label">;
  readonly soundsFolder: ImporterState["soundsFolder"];
  readonly finished: readonly FinishedRun[];
  readonly dismissed?: ReadonlySet<string>;
  readonly canReveal?: ImporterState["canReveal"];
  readonly pretends?: ImporterState["pretends"];
}

/** Holds the state and calls listeners after each change. */
export class StateStore {
  #state: ImporterState;
  readonly #listeners = new Set<(state: ImporterState) => void>();

  constructor(start: InitialState) {
    const { deviceName, connection, host, soundsFolder, finished } = start;
    const { dismissed = new Set<string>(), canReveal = null, pretends = null } = start;
    const { relayUrl } = connection;
    this.#state = {
      connection: { ...connection, ...unconnected(relayUrl) },
      deviceName,
      ...nothingRead(),
      colorTurns: new Map(),
      local: [],
      saved: [],
      unread: new Set<ReadList>(["local", ...listsAt(relayUrl)]),
      runs: [],
      finished,
      host: { ...host, ...nothingKnown() },
      soundsFolder,
      keptFiles: { bytes: 0, clearableBytes: 0 },
      dismissed,
      canReveal,
      pretends,
      lan: null,
      live: null,
      diskTrouble: null,
    };
  }

  get state(): ImporterState {
    return this.#state;
  }

  /** Calls the listener after each change; the returned function unsubscribes. */
  subscribe(listener: (state: ImporterState) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Changes the state and calls the listeners. A list in the change counts as read. */
  change(change: Partial<ImporterState>): void {
    const isUnread = (list: ReadList) => !(list in change);
    const unread = new Set([...this.#state.unread].filter(isUnread));
    this.#state = { ...this.#state, unread, ...change };
    for (const listener of this.#listeners) listener(this.#state);
  }

  changeConnection(change: Partial<PanelConnection>): void {
    this.change({ connection: { ...this.#state.connection, ...change } });
  }

  changePairing(change: Partial<Pairing>): void {
    this.change({ pairing: { ...this.#state.pairing, ...change } });
  }

  /** Replaces the apps; clears `pairing.usedBy` when that app is no longer paired. */
  changeApps(
    apps: ImporterState["apps"],
    newPairingIds: ImporterState["newPairingIds"] = this.#state.newPairingIds,
  ): void {
    const { pairing, apps: before } = this.#state;
    const isListed = (list: ImporterState["apps"]) =>
      list.some(({ pairing_id }) => pairing_id === pairing.usedBy?.pairingId);
    const isUnpaired = isListed(before) && !isListed(apps);
    this.change({
      apps,
      newPairingIds,
      ...(isUnpaired && { pairing: { ...pairing, usedBy: null } }),
    });
  }

  changeHost(change: Partial<PanelHost>): void {
    this.change({ host: { ...this.#state.host, ...change } });
  }

  /** Switches to another relay and drops everything read from the previous one. */
  changeRelay(relayUrl: string): void {
    this.change({
      connection: { ...this.#state.connection, ...unconnected(relayUrl) },
      ...nothingRead(),
      unread: new Set([...this.#state.unread, ...listsAt(relayUrl)]),
    });
  }

  noteIdentity({ newBecause, movedFrom }: Pick<PanelConnection, "newBecause" | "movedFrom">): void {
    const { connection } = this.#state;
    if (connection.newBecause === newBecause && connection.movedFrom === movedFrom) return;
    this.changeConnection({ newBecause, movedFrom });
  }

  /** Drops everything read from the relay. */
  forgetRead(): void {
    const unread = listsAt(this.#state.connection.relayUrl);
    this.change({ ...nothingRead(), unread: new Set([...this.#state.unread, ...unread]) });
  }

  /** Marks a package as dismissed, or removes the mark (rule R12). */
  markDismissed(packageId: string, isDismissed: boolean): void {
    const dismissed = new Set(this.#state.dismissed);
    if (dismissed.has(packageId) === isDismissed) return;
    if (isDismissed) dismissed.add(packageId);
    else dismissed.delete(packageId);
    this.change({ dismissed });
  }

  /** Appends a run, or replaces the one with the same package and host. */
  putRun(run: PanelRun): void {
    const { runs } = this.#state;
    const isKnown = runs.some((old) => isSameRun(old, run));
    const replace = (old: PanelRun) => (isSameRun(old, run) ? run : old);
    this.change({ runs: isKnown ? runs.map(replace) : [...runs, run] });
  }

  /** Replaces tracks in the outcomes of a package's finished runs. */
  amendFinished(packageId: string, amend: (track: ImportedTrack) => ImportedTrack): void {
    const finished = this.#state.finished.map((run): FinishedRun => {
      if (run.packageId !== packageId || !("outcome" in run.result)) return run;
      const { outcome } = run.result;
      return { ...run, result: { outcome: { ...outcome, tracks: outcome.tracks.map(amend) } } };
    });
    this.change({ finished });
  }

  /** Removes a run that ended before it began. */
  dropRun(run: RunKey): void {
    this.change({ runs: this.#state.runs.filter((old) => !isSameRun(old, run)) });
  }

  finishRun(run: FinishedRun): void {
    const { runs, finished } = this.#state;
    this.change({
      runs: runs.filter((old) => !isSameRun(old, run)),
      finished: [run, ...finished].slice(0, MAX_FINISHED_RUNS),
    });
  }
}

type RunKey = Pick<PanelRun, "packageId" | "otherHost">;

function isSameRun(one: RunKey, other: RunKey): boolean {
  return one.packageId === other.packageId && one.otherHost === other.otherHost;
}

function unconnected(relayUrl: string | null) {
  return {
    relayUrl,
    status: relayUrl === null ? "unset" : "idle",
    trouble: null,
    newBecause: null,
    movedFrom: null,
  } as const;
}

function listsAt(relayUrl: string | null): readonly ReadList[] {
  return relayUrl === null ? [] : ["apps", "packages"];
}

/** Returns the host's part of the state before the first check. */
function nothingKnown() {
  const can = { reusesTracks: false };
  return { trouble: null, instead: null, room: null, tempoBpm: null, settings: [], can };
}

/** Returns the relay's part of the state before the first read. */
function nothingRead() {
  return {
    pairing: { code: null, readAtMs: 0, usedBy: null },
    apps: [],
    newPairingIds: new Set<string>(),
    packages: [],
    packagesReadAtMs: 0,
  };
}
