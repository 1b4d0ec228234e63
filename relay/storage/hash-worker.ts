import { createHash } from "node:crypto";
import { parentPort } from "node:worker_threads";

// Hashes the pieces that it gets, and answers each, so that no more are sent than it can take. Then it answers the hash.

if (parentPort === null) throw new Error("This file runs as a worker thread.");
const port = parentPort;
const running = createHash("sha256");
port.on("message", (piece: Uint8Array | "end") => {
  if (piece === "end") port.postMessage(running.digest("hex"));
  else port.postMessage(void running.update(piece));
});
