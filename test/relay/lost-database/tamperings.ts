import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

/** The places that a tampering needs. */
export interface TamperedFolder {
  readonly folder: string;
  /** An older copy of the database, as a backup tool would have made it. */
  readonly olderCopy: string;
}

export interface Tampering {
  readonly title: string;
  readonly tamper: (folder: TamperedFolder) => void;
}

const database = ({ folder }: TamperedFolder) => join(folder, "relay.sqlite");
const wal = (where: TamperedFolder) => `${database(where)}-wal`;
const shm = (where: TamperedFolder) => `${database(where)}-shm`;

/** The accidents of a database while a relay runs on it. Each is over when it returns. */
export const TAMPERINGS: readonly Tampering[] = [
  { title: "unlinked", tamper: (where) => rmSync(database(where)) },
  { title: "replaced by another file", tamper: replaceByRename },
  {
    title: "overwritten in place by an older copy",
    tamper: (where) => writeFileSync(database(where), readFileSync(where.olderCopy)),
  },
  {
    title: "overwritten page by page by an older copy",
    tamper: (where) => writeOver(database(where), readFileSync(where.olderCopy)),
  },
  { title: "overwritten in place by zeros", tamper: (where) => fillWithZeros(database(where)) },
  { title: "truncated", tamper: (where) => truncateSync(database(where), 4096) },
  { title: "without its -wal", tamper: (where) => rmSync(wal(where)) },
  {
    title: "with another -wal",
    tamper: (where) => {
      copyFileSync(wal(where), `${wal(where)}.copy`);
      renameSync(`${wal(where)}.copy`, wal(where));
    },
  },
  { title: "with a -wal of zeros", tamper: (where) => fillWithZeros(wal(where)) },
  { title: "with an empty -wal", tamper: (where) => truncateSync(wal(where), 0) },
  {
    title: "with a -wal that is cut short",
    // A log that was restarted ends with frames that no longer count.
    tamper: (where) => truncateSync(wal(where), 2000),
  },
  { title: "without its -shm", tamper: (where) => rmSync(shm(where)) },
  {
    title: "in a folder that was removed",
    tamper: ({ folder }) => rmSync(folder, { recursive: true }),
  },
  {
    title: "in a folder that was renamed",
    tamper: ({ folder }) => renameSync(folder, `${folder}-away`),
  },
  {
    title: "in a folder that was exchanged for an empty one",
    tamper: ({ folder }) => {
      renameSync(folder, `${folder}-away`);
      mkdirSync(folder);
    },
  },
];

function replaceByRename(where: TamperedFolder): void {
  const copy = `${database(where)}.copy`;
  copyFileSync(where.olderCopy, copy);
  renameSync(copy, database(where));
}

/** Overwrites a file in place. @param from where the zeros begin */
export function fillWithZeros(path: string, from = 0): void {
  writeOver(path, Buffer.alloc(statSync(path).size - from), from);
}

/** Writes over a part, and leaves what is after it. */
function writeOver(path: string, bytes: Uint8Array, from = 0): void {
  const handle = openSync(path, "r+");
  writeSync(handle, bytes, 0, bytes.byteLength, from);
  closeSync(handle);
}
