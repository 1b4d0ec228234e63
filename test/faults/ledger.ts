import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ImportOutcome } from "../../core/protocol/import-outcome.ts";
import { smallWav } from "../wav-bytes.ts";

/** A package as the relay has to know it, by what it answered 200 or 201. */
export interface Entry {
  readonly id: string;
  readonly files: ReadonlyMap<string, Buffer>;
  /** Files of which the relay said that it has them. */
  readonly uploaded: Set<string>;
  state: "uploading" | "waiting" | "imported" | "partial" | "expired" | "gone";
  /** False once what the record ordered has to have deleted them. */
  hasFiles: boolean;
  outcome: ImportOutcome | undefined;
}

/** What an app and an importer were promised. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  #count = 0;

  get entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  in(state: Entry["state"]): readonly Entry[] {
    return this.entries.filter((entry) => entry.state === state);
  }

  /** Sounds of a package, which no other one has. */
  makeFiles(names: readonly string[], frames = 100): ReadonlyMap<string, Buffer> {
    this.#count += 1;
    const count = this.#count;
    const fill = 1 + (count % 255);
    return new Map(
      names.map((name, at) => [name, smallWav({ frames: frames + 40 * count + at, fill })]),
    );
  }

  announced(id: string, files: ReadonlyMap<string, Buffer>): Entry {
    const known = this.#entries.get(id);
    if (known !== undefined) return known;
    const entry: Entry = {
      id,
      files,
      uploaded: new Set(),
      state: "uploading",
      hasFiles: true,
      outcome: undefined,
    };
    this.#entries.set(id, entry);
    return entry;
  }

  imported(outcomes: readonly ImportOutcome[]): void {
    for (const outcome of outcomes) {
      const entry = this.#entries.get(outcome.package_id);
      if (entry === undefined) throw new Error(`${outcome.package_id} was never announced.`);
      entry.state = outcome.status === "imported" ? "imported" : "partial";
      entry.outcome = outcome;
    }
  }

  /** The wait is over: nothing is fetched any more, and files are deleted. */
  waitIsOver(): void {
    for (const entry of this.entries) {
      if (entry.state === "waiting") entry.state = "expired";
      if (entry.state !== "uploading") entry.hasFiles = false;
    }
  }

  /** How many files the relay keeps for packages. */
  get fileCount(): number {
    const kept = this.entries.filter(({ hasFiles, state }) => hasFiles && state !== "gone");
    return kept.reduce((sum, { uploaded }) => sum + uploaded.size, 0);
  }
}

/** The imported sounds that are not in the importer's folder as they were sent. */
export async function findWrongImports(entries: readonly Entry[]): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const { id, files, outcome } of entries) {
    const tracks = outcome?.tracks.filter(({ status }) => status === "imported") ?? [];
    const sent = [...files.values()];
    for (const { file, id: soundId } of tracks) {
      const bytes = await readFile(join(outcome?.folder ?? "", file ?? "")).catch(() => undefined);
      if (bytes === undefined || !sent[Number(soundId) - 1]?.equals(bytes)) {
        wrong.push(`${id}/${soundId}`);
      }
    }
  }
  return wrong;
}
