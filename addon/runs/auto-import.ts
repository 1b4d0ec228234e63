import { DiskError } from "../disk/disk-error.ts";
import { ConnectionLostError } from "../../core/importer/import-errors.ts";
import { HostNotReadyError } from "../hosts/host-registry.ts";
import type { ImporterState } from "../state/importer-state.ts";
import { RelayError, RelayUnreachableError } from "../../core/importer/relay-errors.ts";
import type { Timers } from "../timers.ts";

/** Delay before a retry. */
const RETRY_MS = 30_000;
/** Shortest time without a lease after a run lost the connection, so that its app can withdraw the package. */
const LOST_RETRY_MS = 300_000;

export interface AutoImportDeps {
  /** Lists the ids of packages that were never imported. */
  readonly listNew: () => Promise<readonly string[]>;
  /** Imports a package; the state records success and failure. */
  readonly importOne: (packageId: string) => Promise<unknown>;
  /** Called when the importer's own files can't be read. */
  readonly onTrouble: (error: unknown) => void;
  readonly timers: Timers;
}

/**
 * Imports each new package once, and retries after 30 s where the relay or the disk failed, another run held the lease or
 * the host wasn't ready. Where the connection was lost during the download, it retries after the next connect, or else 5 minutes
 * later (rule R1).
 */
export class AutoImport {
  readonly #deps: AutoImportDeps;
  readonly #tried = new Set<string>();
  /** Packages whose connection was lost, with the functions that cancel their timers. */
  readonly #lost = new Map<string, () => void>();
  #seen: Pick<ImporterState, "packages" | "local"> | undefined;
  #wasConnected = false;
  #isStopped = false;

  constructor(deps: AutoImportDeps) {
    this.#deps = deps;
  }

  /** Imports what is new in a state; must be called with every new state. */
  notice({ packages, local, connection }: ImporterState): void {
    const isConnected = connection.status === "connected";
    const hasReconnected = isConnected && !this.#wasConnected && this.#lost.size > 0;
    this.#wasConnected = isConnected;
    if (hasReconnected) {
      for (const [id, cancelTimer] of this.#lost) {
        cancelTimer();
        this.#tried.delete(id);
      }
      this.#lost.clear();
    } else if (packages === this.#seen?.packages && local === this.#seen.local) return;
    this.#seen = { packages, local };
    this.#importNew();
  }

  stop(): void {
    this.#isStopped = true;
  }

  #importNew(): void {
    this.#deps.listNew().then((ids) => {
      for (const id of ids) this.#importOnce(id);
    }, this.#deps.onTrouble);
  }

  #importOnce(id: string): void {
    if (this.#isStopped || this.#tried.has(id)) return;
    this.#tried.add(id);
    this.#deps.importOne(id).catch((error: unknown) => {
      const isLost = error instanceof ConnectionLostError;
      if (!isLost && !isRetryable(error)) return;
      const cancelTimer = this.#deps.timers.after(isLost ? LOST_RETRY_MS : RETRY_MS, () => {
        this.#lost.delete(id);
        this.#tried.delete(id);
        this.#importNew();
      });
      if (isLost) this.#lost.set(id, cancelTimer);
    });
  }
}

function isRetryable(error: unknown): boolean {
  const passing = [RelayUnreachableError, HostNotReadyError, DiskError];
  if (passing.some((kind) => error instanceof kind)) return true;
  if (!(error instanceof RelayError)) return false;
  return error.status >= 500 || error.status === 429 || error.code === "RUN_ELSEWHERE";
}
