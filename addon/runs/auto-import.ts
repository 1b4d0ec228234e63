import { HostNotReadyError } from "../hosts/host-not-ready.ts";
import type { ImporterState } from "../state/importer-state.ts";
import { RelayError, RelayUnreachableError } from "../relay/relay-errors.ts";
import type { Timers } from "../concurrency/timers.ts";

/** Delay before a retry. */
const RETRY_MS = 30_000;

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
 * Imports each new package once, and retries after 30 s where the relay failed, another run held
 * the lease or the host wasn't ready.
 */
export class AutoImport {
  readonly #deps: AutoImportDeps;
  readonly #tried = new Set<string>();
  #seen: Pick<ImporterState, "packages" | "local"> | undefined;
  #isStopped = false;

  constructor(deps: AutoImportDeps) {
    this.#deps = deps;
  }

  /** Call this with every new state. */
  notice({ packages, local }: ImporterState): void {
    if (packages === this.#seen?.packages && local === this.#seen.local) return;
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
      if (!isRetryable(error)) return;
      this.#deps.timers.after(RETRY_MS, () => {
        this.#tried.delete(id);
        this.#importNew();
      });
    });
  }
}

function isRetryable(error: unknown): boolean {
  if (error instanceof RelayUnreachableError || error instanceof HostNotReadyError) return true;
  if (!(error instanceof RelayError)) return false;
  return error.status >= 500 || error.status === 429 || error.code === "RUN_ELSEWHERE";
}
