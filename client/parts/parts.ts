import { errorOfNetwork } from "../wire/answer-error.ts";

// The client loads a part only when it is needed. A part is bundled with its own copies of its imports, so it must
// not throw a `ClientError`: the copies of a class are different classes.

/** Loads the search for the cause of a call without an answer. */
export const loadCauses = () => part(() => import("./causes.ts"));
/** Loads what is checked before hashing. */
export const loadChecks = () => part(() => import("./checks.ts"));
/** Loads the upload of a package's files. */
export const loadUploading = () => part(() => import("./uploading.ts"));
/** Loads the database of kept packages. */
export const loadKeeping = () => part(() => import("./keeping.ts"));
/** Loads the hash that runs in a Worker. */
export const loadHashWorker = () => part(() => import("./hash-worker.ts"));
/** Loads the hash in plain JavaScript. */
export const loadPortableHash = () => part(() => import("./portable-hash.ts"));

/** Loads a part. Reports a failure as a network error. */
async function part<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    throw errorOfNetwork(cause, new URL(import.meta.url).origin);
  }
}
