import type { Kind } from "./kinds.ts";

// Only what differs by at most 4 % between runs, on a busy machine too. What depends on how fast pieces arrive, such as
// the number of reads of an upload, is counted and not guarded.

const FILES = ["file opens", "flushes", "renames", "removals", "new folders"] as const;
const LOOKS = ["looks at names", "files read or written whole"] as const;
const BYTES = ["bytes read", "bytes written"] as const;
const SYSTEM = ["system reads", "system writes", ...BYTES] as const;
const DATABASE = ["statements", "commits"] as const;

/** The counts of a subject's processes that may not grow. */
export const GUARDED: Readonly<Record<string, Readonly<Record<string, readonly Kind[]>>>> = {
  upload: { relay: [...BYTES, ...FILES, ...LOOKS, ...DATABASE] },
  import: {
    relay: [...BYTES, ...FILES, "file writes", "commits"],
    importer: [...BYTES, ...FILES, "file writes"],
  },
  status: { relay: [...SYSTEM, ...FILES, ...DATABASE, "bytes allocated"] },
  announce: {
    relay: [
      ...FILES,
      ...LOOKS,
      ...DATABASE,
      "file writes",
      "bytes allocated",
      "bytes allocated in threads",
    ],
  },
  notice: {
    relay: ["bytes written", ...FILES, ...LOOKS, ...DATABASE, "file writes"],
    importer: [...SYSTEM, ...FILES, ...LOOKS],
  },
  library: { layout: ["bytes read", ...FILES, ...LOOKS, "file reads", "bytes allocated"] },
};
