import type { ImportOutcome } from "../../core/protocol/import-outcome.ts";
import type { ImportAllOutcome, PackagesToImport } from "./importer-calls.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";

export interface ImportAllDeps {
  /** What the relay's trouble is filed under. */
  readonly relay: string;
  /** Reads what there is to import; without the relay's packages once that was found to be away. */
  readonly look: (how: { readonly withRelay: boolean }) => Promise<PackagesToImport>;
  /** Ids of those that are new to the host. */
  readonly listNew: (found: PackagesToImport) => Promise<readonly string[]>;
  /** Gives nothing for a package that someone else has imported by now. */
  readonly importOne: (packageId: string) => Promise<ImportOutcome | undefined>;
  /** Ends it all; what is not imported by then is not counted as a failure. */
  readonly signal: AbortSignal | undefined;
}

/** Imports every package that is new to the host, one by one, each of them once. */
export async function importAll(options: ImportAllDeps): Promise<ImportAllOutcome> {
  const { relay, signal } = options;
  const packages: ImportOutcome[] = [];
  const failures = new Map<string, string>();
  const done = new Set<string>();
  for (;;) {
    // Looked up anew before each run: someone else may have imported one meanwhile.
    const found = await options.look({ withRelay: !failures.has(relay) });
    for (const one of found.local) if ("error" in one) failures.set(one.folder, one.error);
    if (found.relay_error !== undefined) failures.set(relay, found.relay_error);
    const next = (await options.listNew(found)).find((id) => !done.has(id));
    if (next === undefined) break;
    done.add(next);
    try {
      const outcome = await options.importOne(next);
      if (outcome !== undefined) packages.push(outcome);
    } catch (error) {
      if (signal?.aborted) throw error;
      failures.set(next, sentenceOf(error));
    }
  }
  return { packages, failures: [...failures].map(([source, error]) => ({ source, error })) };
}
