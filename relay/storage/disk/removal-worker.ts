import { rmdirSync, unlinkSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { codeOf } from "../error-codes.ts";
import { isKey, soundPath } from "./sound-path.ts";

// Deletes sounds, one call after the other, and answers each request with the keys that are left.

/** The sounds to delete. `files` unlinks the finished ones, `folders` also removes the folders that become empty. */
export interface Removal {
  readonly root: string;
  readonly keys: readonly string[];
  readonly what: "files" | "folders";
}

if (parentPort === null) throw new Error("This file runs as a worker thread.");
const port = parentPort;

port.on("message", ({ root, keys, what }: Removal) => {
  const left = keys.filter((key) => !isKey(key));
  const paths = keys.filter(isKey).map((key) => soundPath(root, key));
  for (const [folder, ofFolder] of Map.groupBy(paths, (path) => path.folder)) {
    const removeFolder = () => isGone(() => rmdirSync(folder));
    const isDone =
      // An empty folder takes one call.
      (what === "folders" && removeFolder()) ||
      (ofFolder.every(({ finished }) => isGone(() => unlinkSync(finished))) &&
        (what === "files" || removeFolder()));
    if (!isDone) left.push(...ofFolder.map(({ key }) => key));
  }
  port.postMessage(left);
});

/** Runs a call. What fails is tried again in a single call, which reports why. */
function isGone(remove: () => void): boolean {
  try {
    remove();
    return true;
  } catch (error) {
    return codeOf(error) === "ENOENT";
  }
}
