import { type PackageFiles, packageOfKey } from "../../domain/ports.ts";
import { manifestOf, type RowOf, uploadedOf } from "./rows.ts";
import { ask, statement, type Work } from "./statement.ts";

type FilesRow = RowOf<"packages", "package_id" | "uploaded"> & RowOf<"manifests", "manifest">;

const WITH_FILES = statement<FilesRow>(
  "list_with_files",
  `SELECT package_id, uploaded, manifest FROM packages JOIN manifests USING (package_id)
   WHERE package_id > :after AND files_deleted = 0 AND uploaded <> '[]'
   ORDER BY package_id LIMIT 0 + :limit`,
);
/** Reads the files that a package has, unless they are deleted. */
export const UPLOADED = statement<RowOf<"packages", "uploaded">>(
  "uploaded_of_package",
  "SELECT uploaded FROM packages WHERE package_id = :packageId AND files_deleted = 0",
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

/** A part of a list, after a package or key. Fewer than `limit` are the last ones. */
export interface ListPart {
  readonly after?: string | undefined;
  readonly limit: number;
}

/**
 * Lists the sounds of packages whose files are not deleted, in the order of the packages' ids. The limit is a number of
 * packages, whose manifests are read at once.
 */
export function* listNamedSounds({ after = "", limit }: ListPart): Work<NamedSounds> {
  const rows = yield* ask(WITH_FILES({ after, limit }));
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { sounds: rows.flatMap(soundsOf), next: last?.package_id ?? null };
}

/** Lists the packages whose files are not deleted, in the order of their ids. */
export function* listWithFiles({ after = "", limit }: ListPart): Work<readonly PackageFiles[]> {
  return (yield* ask(WITH_FILES({ after, limit }))).map((row) => ({
    packageId: row.package_id,
    uploaded: uploadedOf(row.uploaded),
    announced: new Map(soundsOf(row).map(({ key, ...announced }) => [key, announced])),
  }));
}

/** Checks whether a package has a sound now. */
export function* hasSound(key: string): Work<boolean> {
  const [row] = yield* ask(UPLOADED({ packageId: packageOfKey(key) }));
  return row !== undefined && [...uploadedOf(row.uploaded).values()].includes(key);
}

function soundsOf(row: FilesRow): readonly NamedSound[] {
  const uploaded = uploadedOf(row.uploaded);
  return manifestOf(row).items.flatMap(({ file, sha256, bytes }) => {
    const key = uploaded.get(file);
    return key === undefined ? [] : [{ key, sha256, bytes }];
  });
}
