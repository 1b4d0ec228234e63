import { manifestOf, type Row, text, uploadedOf } from "./rows.ts";
import { ask, statement, type Work } from "./statement.ts";

const NAMED = statement<Row>(
  "named_sounds",
  `SELECT package_id, uploaded, manifest FROM packages JOIN manifests USING (package_id)
   WHERE package_id > :after AND files_deleted = 0 AND uploaded <> '[]'
   ORDER BY package_id LIMIT 0 + :limit`,
);
const UPLOADED = statement<{ readonly uploaded: string }>(
  "uploaded_of_package",
  "SELECT uploaded FROM packages WHERE package_id = :package_id AND files_deleted = 0",
);

/** A sound that a package has. */
export interface NamedSound {
  readonly key: string;
  /** Announced SHA-256, in lowercase hex. */
  readonly sha256: string;
  /** Announced size. */
  readonly bytes: number;
}

/** Sounds of some packages. */
export interface NamedSounds {
  readonly sounds: readonly NamedSound[];
  /** Package after which the list continues; null at its end. */
  readonly next: string | null;
}

/**
 * Lists the sounds of packages whose files are not deleted, in the order of the packages' ids.
 * @param limit number of packages, whose manifests are read at once
 */
export function* listNamedSounds({
  after,
  limit,
}: {
  readonly after: string | undefined;
  readonly limit: number;
}): Work<NamedSounds> {
  const rows = yield* ask(NAMED({ after: after ?? "", limit }));
  const last = rows.length < limit ? undefined : rows.at(-1);
  return {
    sounds: rows.flatMap(soundsOf),
    next: last === undefined ? null : text(last["package_id"]),
  };
}

/** Checks whether a package has a sound now. */
export function* hasSound(key: string): Work<boolean> {
  const [packageId = ""] = key.split("/");
  const [row] = yield* ask(UPLOADED({ package_id: packageId }));
  return row !== undefined && [...uploadedOf(row.uploaded).values()].includes(key);
}

function soundsOf(row: Row): readonly NamedSound[] {
  const uploaded = uploadedOf(row["uploaded"]);
  return manifestOf(row).items.flatMap(({ file, sha256, bytes }) => {
    const key = uploaded.get(file);
    return key === undefined ? [] : [{ key, sha256, bytes }];
  });
}
