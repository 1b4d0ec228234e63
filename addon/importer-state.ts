import type {
  ImportablePackage,
  PairedApp,
  PairingCodeAnswer,
} from "../core/protocol/importer-api.ts";
import type { ImportOutcome, ImportProgress } from "../core/protocol/import-outcome.ts";
import type { InboxPackage } from "./importer-calls.ts";

/** Finished runs that the state remembers. */
const REMEMBERED_RUNS = 20;

/** What an importer knows at one moment; never changed, only replaced. */
export interface ImporterState {
  readonly connection: Connection;
  /** As apps see it. */
  readonly deviceName: string;
  readonly pairing: Pairing;
  readonly apps: readonly PairedApp[];
  /** Committed packages at the relay, newest first. */
  readonly packages: readonly ImportablePackage[];
  /** Packages in the inbox folder. */
  readonly local: readonly InboxPackage[];
  /** Runs that work or wait for their turn, in that order. */
  readonly runs: readonly Run[];
  /** The last runs that are over, newest first. */
  readonly finished: readonly FinishedRun[];
  /** What is wrong with the inbox or with the importer's own files, in a sentence. */
  readonly diskTrouble: string | null;
}

export interface Connection {
  readonly relayUrl: string;
  /** `idle` until the importer is started. */
  readonly status: "idle" | "connecting" | "connected" | "offline";
  /** What is wrong, in a sentence; also while connected, when a call failed. */
  readonly trouble: string | null;
  /** The relay had forgotten this importer: every app must pair again. */
  readonly mustPairAgain: boolean;
}

export interface Pairing {
  /** The code that can be used now. */
  readonly code: PairingCodeAnswer | null;
  /** The app that used the last code. */
  readonly usedBy: string | null;
}

export interface Run {
  readonly packageId: string;
  readonly title: string;
  /** null while it waits for its turn. */
  readonly progress: ImportProgress | null;
}

export interface FinishedRun {
  readonly packageId: string;
  readonly title: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly result: { readonly outcome: ImportOutcome } | { readonly error: string };
}

/** Holds the state and tells who listens of every change. */
export class StateHolder {
  #state: ImporterState;
  readonly #listeners = new Set<(state: ImporterState) => void>();

  constructor(start: Pick<ImporterState, "deviceName"> & { readonly relayUrl: string }) {
    const { deviceName, relayUrl } = start;
    this.#state = {
      connection: { relayUrl, status: "idle", trouble: null, mustPairAgain: false },
      deviceName,
      pairing: { code: null, usedBy: null },
      apps: [],
      packages: [],
      local: [],
      runs: [],
      finished: [],
      diskTrouble: null,
    };
  }

  get state(): ImporterState {
    return this.#state;
  }

  /** Calls the listener after each change; gives the function that ends it. */
  subscribe(listener: (state: ImporterState) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  change(change: Partial<ImporterState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener(this.#state);
  }

  changeConnection(change: Partial<Connection>): void {
    this.change({ connection: { ...this.#state.connection, ...change } });
  }

  /** Adds a run at the end of the line, or replaces the one of the same package. */
  putRun(run: Run): void {
    const { runs } = this.#state;
    const others = runs.filter(({ packageId }) => packageId !== run.packageId);
    const isKnown = others.length < runs.length;
    const replace = (old: Run) => (old.packageId === run.packageId ? run : old);
    this.change({ runs: isKnown ? runs.map(replace) : [...runs, run] });
  }

  finishRun(run: FinishedRun): void {
    const { runs, finished } = this.#state;
    this.change({
      runs: runs.filter(({ packageId }) => packageId !== run.packageId),
      finished: [run, ...finished].slice(0, REMEMBERED_RUNS),
    });
  }
}
