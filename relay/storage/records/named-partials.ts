import { manifestOf, number, type Row, text } from "./rows.ts";
import { ask, statement, type Work } from "./statement.ts";

const PARTIALS = statement<Row>(
  "named_partials",
  `SELECT key, file, stored_bytes, manifest FROM partials JOIN manifests USING (package_id)
   WHERE key > :after ORDER BY key LIMIT 0 + :limit`,
);

/** A file that is sent in several calls, as far as it has arrived (rule U10). */
export interface NamedPartial {
  readonly key: string;
  /** Number of its bytes that are known to be durable. */
  readonly storedBytes: number;
  /** Announced size. */
  readonly bytes: number;
  /** Announced SHA-256, in lowercase hex. */
  readonly sha256: string;
}

/** Lists partials after a key, in the order of their keys. @param limit number of partials; fewer are the last ones */
export function* listNamedPartials({
  after = "",
  limit,
}: {
  readonly after: string | undefined;
  readonly limit: number;
}): Work<readonly NamedPartial[]> {
  return (yield* ask(PARTIALS({ after, limit }))).map((row) => {
    const announced = manifestOf(row).items.find(({ file }) => file === row["file"]);
    return {
      key: text(row["key"]),
      storedBytes: number(row["stored_bytes"]),
      bytes: announced?.bytes ?? 0,
      sha256: announced?.sha256 ?? "",
    };
  });
}
