import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { parseJson } from "../../core/text/parse-json.ts";
import { flushFolderSync } from "../../program/flush-folder.ts";

/**
 * The kind of a removal: an app's token (as SHA-256), a pairing, a device, or a package that its app withdrew. Or an
 * operator's decision: `key` is a removed registration key (as SHA-256), `revoked` names a device whose token is no longer valid, `denied` and `allowed` a sound (as
 * SHA-256), `blocked` and `unblocked` a device or an address range.
 */
export type RemovalKind =
  | "token"
  | "pairing"
  | "device"
  | "package"
  | "revoked"
  | "key"
  | "denied"
  | "allowed"
  | "blocked"
  | "unblocked";

/** Kinds that undo each other: the later one counts. */
export const OPPOSITES: Readonly<Record<string, string>> = {
  allowed: "denied",
  unblocked: "blocked",
};

/** One line of the log. A reader skips kinds that it doesn't know. */
export interface Removal {
  readonly seq: number;
  /** Relay time, milliseconds. */
  readonly at: number;
  readonly kind: string;
  readonly id: string;
}

export const REMOVALS_FILE = "removals.log";

/** Time for which removals are kept. A backup that is older brings back what was removed before. */
const KEPT_MS = 365 * 24 * 60 * 60 * 1000;
const PIECE_BYTES = 64 * 1024;

/** Appends removals and flushes them. A line that a crash cut short is ended first. */
export function appendRemovals(folder: string, removals: readonly Removal[]): void {
  const path = join(folder, REMOVALS_FILE);
  const isNew = !existsSync(path);
  const file = openSync(path, "a+", 0o600);
  try {
    const lines = removals.map((removal) => `${JSON.stringify(removal)}\n`).join("");
    writeFileSync(file, endsWithLine(file) ? lines : `\n${lines}`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  if (isNew) flushFolderSync(folder);
}

/** Drops removals that are older than a year. Does nothing unless the oldest is. @param now relay time */
export function compactRemovals(folder: string, now: number): void {
  const path = join(folder, REMOVALS_FILE);
  const isKept = (line: string) => (parseRemoval(line)?.at ?? now) > now - KEPT_MS;
  const [oldest] = readLines(path);
  if (oldest === undefined || isKept(oldest)) return;
  const shorter = `${path}.new`;
  writeFileSync(shorter, "", { mode: 0o600 });
  const file = openSync(shorter, "a");
  try {
    for (const line of readLines(path)) if (isKept(line)) writeFileSync(file, `${line}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(shorter, path);
  flushFolderSync(folder);
}

/** The lines of a log, oldest first; none if there is no file. */
export function* readLines(path: string): Generator<string, void, void> {
  if (!existsSync(path)) return;
  const file = openSync(path, "r");
  try {
    const piece = new Uint8Array(PIECE_BYTES);
    const decoder = new StringDecoder("utf8");
    let rest = "";
    for (let bytes = readSync(file, piece); bytes > 0; bytes = readSync(file, piece)) {
      const [end = "", ...others] = decoder.write(piece.subarray(0, bytes)).split("\n");
      // Joined text is searched no second time: a log may end in megabytes of zeros after a power cut.
      rest += end;
      for (const next of others) {
        if (rest !== "") yield rest;
        rest = next;
      }
    }
    if (rest !== "") yield rest;
  } finally {
    closeSync(file);
  }
}

/** Parses a line. Returns undefined if it isn't a removal, for example because a crash cut it short. */
export function parseRemoval(line: string): Removal | undefined {
  const parsed = parseJson(line);
  if (typeof parsed !== "object" || parsed === null) return undefined;
  const [seq, at, kind, id] = ["seq", "at", "kind", "id"].map((name) => Reflect.get(parsed, name));
  if (typeof seq !== "number" || typeof at !== "number") return undefined;
  if (typeof kind !== "string" || typeof id !== "string") return undefined;
  return { seq, at, kind, id };
}

function endsWithLine(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return true;
  const last = new Uint8Array(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] === 10;
}
