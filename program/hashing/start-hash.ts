import { hashInThread } from "./hash-thread.ts";
import { hashHere } from "./hash-here.ts";
import type { StartHash } from "../../core/audio/running-hash.ts";

/** A hash of so many bytes takes about as long here as handing them to the thread. */
const THREAD_FROM_BYTES = 2 * 1024 ** 2;

/** Starts a hash beside the event loop, in the thread that hashes for the whole process; a small one here. */
export const startHash: StartHash = (sizeBytes) =>
  sizeBytes < THREAD_FROM_BYTES ? hashHere(sizeBytes) : hashInThread();
