import { receiveSentence } from "../../../../core/protocol/receive-sentences.ts";

type Permission = "granted" | "denied" | "prompt";

/** The questions that Chromium's handles of picked folders answer beside those that TypeScript knows. */
interface AskableHandle {
  queryPermission(options: { readonly mode: "readwrite" }): Promise<Permission>;
  requestPermission(options: { readonly mode: "readwrite" }): Promise<Permission>;
}

const WRITING = { mode: "readwrite" } as const;

/** Returns whether the browser asks the person again before it writes into a picked folder. */
export async function asksAgain(folder: FileSystemDirectoryHandle): Promise<boolean> {
  return isAskable(folder) && (await folder.queryPermission(WRITING)) !== "granted";
}

/**
 * Asks for the permission to write into a picked folder, which browsers only do in a click.
 * @throws {Error} with a sentence when the person says no
 */
export async function allowWriting(folder: FileSystemDirectoryHandle): Promise<void> {
  if (!isAskable(folder) || (await folder.queryPermission(WRITING)) === "granted") return;
  if ((await folder.requestPermission(WRITING)) === "granted") return;
  throw new Error(receiveSentence("RECEIVE_FOLDER_CLOSED", { name: folder.name }));
}

function isAskable(folder: object): folder is AskableHandle {
  return "queryPermission" in folder;
}
