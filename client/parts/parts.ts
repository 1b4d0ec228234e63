import { errorOfNetwork } from "../wire/answer-error.ts";

// What the client loads only when it is needed. A part is bundled with its own copies of what it imports, so it
// knows no `ClientError`: the copies of a class are different classes.

/** Reads headers as the relay will. */
export const loadHeaders = () => part(() => import("./headers.ts"));
/** Hashes in a Worker. */
export const loadHashWorker = () => part(() => import("./hash-worker.ts"));
/** Hashes in plain JavaScript. */
export const loadPortableHash = () => part(() => import("./portable-hash.ts"));

/** A part that can't be loaded now is trouble of the network. */
async function part<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    throw errorOfNetwork(cause, new URL(import.meta.url).origin);
  }
}
