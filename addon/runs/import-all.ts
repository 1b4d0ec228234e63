import type { ImportOutcome } from "../../core/protocol/import-outcome.ts";
import type { ImportablePackage } from "../../core/protocol/importer-api.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import type { InboxPackage } from "../state/importer-state.ts";

/** The relay's packages and the inbox's, as the command line prints them (rule K5). */
export interface PackagesToImport {
  readonly packages: readonly ImportablePackage[];
  readonly local: readonly InboxPackage[];
  /** Ids of those that a person dismissed (rule R12); absent without any. */
  readonly dismissed?: readonly string[];
  /** Why the relay's packages are missing. */
  readonly relay_error?: string;
  /** Why no app is paired at this relay although it has been there before (rule P9). */
  readonly relay_note?: string;
}

export interface ImportAllOutcome {
  readonly packages: readonly ImportOutcome[];
  /** Packages that weren't imported, with the reasons. */
  readonly failures: readonly { readonly source: string; readonly error: string }[];
}

export interface ImportAllDeps {
  /** The `source` under which a relay error is reported. */
  readonly relay: string;
  /** Lists the packages; without the relay's once it was unreachable. */
  readonly listPackages: (how: { readonly withRelay: boolean }) => Promise<PackagesToImport>;
  /** Filters the ids that are new to the host. */
  readonly listNew: (found: PackagesToImport) => Promise<readonly string[]>;
  /** Returns undefined where another run has imported the package meanwhile. */
  readonly importOne: (packageId: string) => Promise<ImportOutcome | undefined>;
  /** Stops the import; packages not yet imported don't count as failures. */
  readonly signal: AbortSignal | undefined;
}

/** Imports every package that is new to the host, one at a time, each once. */
export async function importAll(deps: ImportAllDeps): Promise<ImportAllOutcome> {
  const { relay, signal } = deps;
  const packages: ImportOutcome[] = [];
  const failures = new Map<string, string>();
  const done = new Set<string>();
  let note: string | undefined;
  for (;;) {
    // List again before each run: another run may have imported one meanwhile.
    const found = await deps.listPackages({ withRelay: !failures.has(relay) });
    for (const one of found.local) if ("error" in one) failures.set(one.folder, one.error);
    if (found.relay_error !== undefined) failures.set(relay, found.relay_error);
    note = found.relay_note;
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
  if (note !== undefined) failures.set(relay, note);
  return { packages, failures: [...failures].map(([source, error]) => ({ source, error })) };
}
