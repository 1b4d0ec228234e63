import type { ImportOutcome } from "../../core/protocol/import-outcome.ts";
import type { ImportablePackage } from "../../core/protocol/importer-api.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { InboxPackage } from "../state/importer-state.ts";

/** The relay's packages and the inbox's, as the command line prints them (rule K5). */
export interface PackagesToImport {
  readonly packages: readonly ImportablePackage[];
  readonly local: readonly InboxPackage[];
  /** Why the relay's packages are not among them. */
  readonly relay_error?: string;
}

export interface ImportAllOutcome {
  readonly packages: readonly ImportOutcome[];
  /** What could not be imported at all, each with its reason. */
  readonly failures: readonly { readonly source: string; readonly error: string }[];
}

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
export async function importAll(deps: ImportAllDeps): Promise<ImportAllOutcome> {
  const { relay, signal } = deps;
  const packages: ImportOutcome[] = [];
  const failures = new Map<string, string>();
  const done = new Set<string>();
  for (;;) {
    // Looked up again before each run: someone else may have imported one meanwhile.
    const found = await deps.look({ withRelay: !failures.has(relay) });
    for (const one of found.local) if ("error" in one) failures.set(one.folder, one.error);
    if (found.relay_error !== undefined) failures.set(relay, found.relay_error);
    const next = (await deps.listNew(found)).find((id) => !done.has(id));
    if (next === undefined) break;
    done.add(next);
    try {
      const outcome = await deps.importOne(next);
      if (outcome !== undefined) packages.push(outcome);
    } catch (error) {
      if (signal?.aborted) throw error;
      failures.set(next, sentenceOf(error));
    }
  }
  return { packages, failures: [...failures].map(([source, error]) => ({ source, error })) };
}
