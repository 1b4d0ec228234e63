import { createHash, type Hash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { SharedRing } from "./shared-ring.ts";

// Hashes what the ring hands over, for as many hashes as run, and answers each with its hex once it is complete.

/** A complete hash. */
export interface Hashed {
  readonly id: number;
  readonly hex: string;
}

if (parentPort === null) throw new Error("This file runs as a worker thread.");
const running = new Map<number, Hash>();
for (const { id, kind, bytes } of new SharedRing(workerData).slots()) {
  const hash = running.get(id) ?? createHash("sha256");
  if (kind === "bytes") running.set(id, hash.update(bytes));
  else running.delete(id);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  if (kind === "end") parentPort.postMessage({ id, hex: hash.digest("hex") } satisfies Hashed);
}
