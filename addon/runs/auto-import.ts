import type { ImporterState } from "../state/importer-state.ts";
import { RelayError, RelayUnreachableError } from "../relay/relay-errors.ts";
import type { Timers } from "../concurrency/timers.ts";

/** Pause before a package is tried again that could not be had just then. */
const RETRY_MS = 30_000;

export interface AutoImportDeps {
  /** Ids of the packages that were never imported. */
  readonly listNew: () => Promise<readonly string[]>;
  /** Puts its outcome into the state, good or bad. */
  readonly importOne: (packageId: string) => Promise<unknown>;
  /** The importer's own files can't be read. */
  readonly onTrouble: (error: unknown) => void;
  readonly timers: Timers;
}

/**
 * Imports what arrives without being asked: each new package once. One that could not be had just
 * then, because the network was down or another run held it, is tried again half a minute later.
 */
export class AutoImport {
  readonly #deps: AutoImportDeps;
  readonly #tried = new Set<string>();
  #seen: Pick<ImporterState, "packages" | "local"> | undefined;
  #isStopped = false;

  constructor(deps: AutoImportDeps) {
    this.#deps = deps;
  }

  /** To be called with every state. */
  notice({ packages, local }: ImporterState): void {
    if (packages === this.#seen?.packages && local === this.#seen.local) return;
    this.#seen = { packages, local };
    this.#look();
  }

  stop(): void {
    this.#isStopped = true;
  }

  #look(): void {
    this.#deps.listNew().then((ids) => {
      for (const id of ids) this.#tryOnce(id);
    }, this.#deps.onTrouble);
  }

  #tryOnce(id: string): void {
    if (this.#isStopped || this.#tried.has(id)) return;
    this.#tried.add(id);
    this.#deps.importOne(id).catch((error: unknown) => {
      if (!isRetryable(error)) return;
      this.#deps.timers.after(RETRY_MS, () => {
        this.#tried.delete(id);
        this.#look();
      });
    });
  }
}

function isRetryable(error: unknown): boolean {
  if (error instanceof RelayUnreachableError) return true;
  if (!(error instanceof RelayError)) return false;
  return error.status >= 500 || error.status === 429 || error.code === "RUN_ELSEWHERE";
}
