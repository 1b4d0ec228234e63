import { createHash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";

// Hashes one slot for each message, and answers, so that the slot can be filled again. Answers `end` with the hash.

/** Number of bytes in a slot to hash next; `end` asks for the hash. */
export type ToHash = { readonly slot: number; readonly bytes: number } | "end";

if (parentPort === null) throw new Error("This file runs as a worker thread.");
const port = parentPort;
const slots: readonly Uint8Array[] = workerData;
const running = createHash("sha256");
port.on("message", (next: ToHash) => {
  if (next === "end") return port.postMessage(running.digest("hex"));
  const filled = slots[next.slot]?.subarray(0, next.bytes) ?? new Uint8Array();
  return port.postMessage(void running.update(filled));
});
