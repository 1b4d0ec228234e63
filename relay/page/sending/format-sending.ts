import { formatBytes } from "../../../core/page/format-bytes.ts";
import type { Sending } from "./sending.ts";

/** How far a package is: words, and a part from 0 to 1, null where nobody can say. */
export function formatSending({ progress }: Pick<Sending, "progress">): {
  readonly words: string;
  readonly part: number | null;
} {
  if (progress === null) return { words: "Starting…", part: null };
  const { phase, doneBytes, totalBytes } = progress;
  const part = totalBytes > 0 ? Math.min(1, doneBytes / totalBytes) : null;
  const amount = `${formatBytes(doneBytes)} of ${formatBytes(totalBytes)}`;
  if (phase === "hashing") return { words: `Preparing: ${amount}`, part };
  return doneBytes < totalBytes
    ? { words: `Sending: ${amount}`, part }
    : { words: "Finishing…", part };
}
