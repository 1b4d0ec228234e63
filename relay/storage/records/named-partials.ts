import type { ListPart, NamedSound } from "./named-sounds.ts";
import { manifestOf, type RowOf } from "./rows.ts";
import { ask, statement, type Work } from "./statement.ts";

const PARTIALS = statement<RowOf<"partials"> & RowOf<"manifests", "manifest">>(
  "named_partials",
  `SELECT key, package_id, file, stored_bytes, manifest FROM partials
     JOIN manifests USING (package_id)
   WHERE key > :after ORDER BY key LIMIT 0 + :limit`,
);

/** A file that is sent in several calls, as far as it has arrived (rule U10). */
export interface NamedPartial extends NamedSound {
  /** Number of its bytes that are known to be durable. */
  readonly storedBytes: number;
}

/** Lists partials in the order of their keys. */
export function* listNamedPartials({ after = "", limit }: ListPart): Work<readonly NamedPartial[]> {
  return (yield* ask(PARTIALS({ after, limit }))).map((row) => {
    const announced = manifestOf(row).items.find(({ file }) => file === row.file);
    const { bytes = 0, sha256 = "" } = announced ?? {};
    return { key: row.key, sha256, bytes, storedBytes: row.stored_bytes };
  });
}
