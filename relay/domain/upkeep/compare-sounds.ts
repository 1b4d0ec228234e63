import {
  type AnnouncedBytes,
  type Digest,
  type PackageFiles,
  type PackageRecord,
  type Ports,
  type StoreUpkeep,
} from "../ports.ts";
import { BATCH, pagesOf } from "./batches.ts";
import type { Comparison } from "./comparison.ts";
import { stillNamed } from "./reconcile.ts";

// Compares stored bytes with the SHA-256 that their package announced (rule Z16).

/** A file of a package, with its bytes in the sound store. */
export interface StoredFile {
  readonly packageId: string;
  readonly file: string;
  readonly key: string;
  readonly announced: AnnouncedBytes;
}

/** The way to read a sound. */
export interface Reading {
  /** Number of bytes that are read at once. */
  readonly pieceBytes: number;
  /** Runs a read of one piece. */
  readonly read: <Result>(act: () => Promise<Result>) => Promise<Result>;
}

export interface ComparedStores extends Pick<Ports, "packages" | "sounds"> {
  readonly digest: Digest;
}

/** A stored sound that is not what its app sent. */
export interface DifferingSound extends StoredFile {
  readonly found: Comparison;
  readonly record: PackageRecord;
}

/** Lists the stored files of all packages, in the order of the packages' ids. @param after the package before them */
export async function* listStored(
  { upkeep }: { readonly upkeep: StoreUpkeep },
  after?: string,
): AsyncGenerator<StoredFile> {
  const pages = pagesOf<PackageFiles>((last) =>
    upkeep.listWithFiles({ after: last?.packageId ?? after, limit: BATCH }),
  );
  for await (const page of pages) {
    for (const { packageId, uploaded, announced: all } of page) {
      for (const [file, key] of uploaded) {
        const announced = all.get(key);
        if (announced !== undefined) yield { packageId, file, key, announced };
      }
    }
  }
}

/**
 * Compares a sound. If it isn't what was announced, reads the record and compares once more, so that a change meanwhile
 * is no finding.
 * @param reading undefined if only the store's checksums are compared
 * @returns with the record of a `lost`, `differs` or `unreadable` sound
 */
export async function compareTwice(
  stores: ComparedStores,
  stored: StoredFile,
  reading?: Reading,
): Promise<{ readonly found: Comparison; readonly record?: PackageRecord }> {
  const first = await compare(stores, stored, reading);
  if (first === "same" || first === "unchecked") return { found: first };
  const record = await stores.packages.find(stored.packageId);
  if (record === undefined || stillNamed([[stored.file, stored.key]], record).size === 0) {
    return { found: "gone" };
  }
  const found = await compare(stores, stored, reading);
  return found === "same" ? { found } : { found, record };
}

/** Finds the sounds that are not what their apps sent, except lost ones. @param onRead called with the bytes of each */
export async function* findDiffering(
  stores: ComparedStores & { readonly upkeep: StoreUpkeep },
  onRead: (bytes: number) => void,
): AsyncGenerator<DifferingSound> {
  for await (const stored of listStored(stores)) {
    const { found, record } = await compareTwice(stores, stored, WHOLE);
    onRead(stored.announced.bytes);
    if (record !== undefined && found !== "lost") yield { ...stored, found, record };
  }
}

const WHOLE: Reading = { pieceBytes: Infinity, read: (act) => act() };

async function compare(
  stores: ComparedStores,
  stored: StoredFile,
  reading: Reading | undefined,
): Promise<Comparison> {
  try {
    return await compareBytes(stores, stored, reading);
  } catch (error) {
    if (isUnreadable(error)) return "unreadable";
    throw error;
  }
}

async function compareBytes(
  { sounds, digest }: ComparedStores,
  { key, announced: { bytes, sha256 } }: StoredFile,
  reading: Reading | undefined,
): Promise<Comparison> {
  if ((await sounds.sizes([key])).get(key) !== bytes) return "lost";
  const kept = await sounds.checksumOf?.(key);
  if (kept !== undefined) return kept === sha256 ? "same" : "differs";
  if (reading === undefined) return "unchecked";
  const { pieceBytes, read } = reading;
  const running = digest.start(bytes);
  for (let start = 0; start < bytes; start += pieceBytes) {
    const range = { start, end: Math.min(start + pieceBytes, bytes) - 1 };
    const isWhole = await read(async () => {
      const pieces = await sounds.open(key, range);
      for await (const piece of pieces ?? []) await running.update(piece);
      return pieces !== undefined;
    });
    if (!isWhole) return "lost";
  }
  return (await running.hex()) === sha256 ? "same" : "differs";
}

/** Failed reads of some bytes, while the disk is there: I/O error, and two of file systems with checksums of their own. */
const UNREADABLE: ReadonlySet<string> = new Set(["EIO", "EBADMSG", "EUCLEAN"]);

function isUnreadable(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return UNREADABLE.has(code);
}
