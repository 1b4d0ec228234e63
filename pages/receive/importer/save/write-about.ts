import { hexOf } from "../../../../client/wire/random-id.ts";
import { MAX_JSON_BYTES } from "../../../../core/limits.ts";
import type { FolderMarker } from "../../../../core/saved-package/folder-marker.ts";
import { fileIfAny, folderIfAny, writeFile, writeMarker } from "./folder-place.ts";

/** A larger file is none of ours: a manifest has at most 1 MiB, and our other files hold no audio. */
const MAX_WRITTEN_BYTES = 2 * MAX_JSON_BYTES;

/** Contents by their paths below a package's folder, with `/`. */
type Contents = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/**
 * Writes files about a package, in their order. What a person put there or changed stays (rule F10): the marker has the
 * digests of what was written, before it is there.
 */
export async function writeAbout(
  directory: FileSystemDirectoryHandle,
  marker: FolderMarker,
  contents: Contents,
): Promise<void> {
  const written = new Map(marker.written);
  const missing: (readonly [string, Uint8Array<ArrayBuffer>])[] = [];
  for (const [path, content] of contents) {
    const there = await fileAt(directory, path);
    const digest = await digestOf(content);
    const known = there && (await digestOfFile(there));
    const isTheirs = there !== undefined && !(marker.written.get(path) ?? []).includes(known ?? "");
    if (isTheirs && known !== digest) continue;
    if (known !== digest) missing.push([path, content]);
    written.set(path, [...new Set([...(known === undefined ? [] : [known]), digest])]);
  }
  await writeMarker(directory, { ...marker, written });
  for (const [path, content] of missing) {
    const { folder, name } = splitPath(path);
    const into = folder === "" ? directory : await makeFolder(directory, folder);
    await writeFile(await into.getFileHandle(name, { create: true }), new Blob([content]));
  }
}

function makeFolder(
  directory: FileSystemDirectoryHandle,
  name: string,
): Promise<FileSystemDirectoryHandle> {
  return directory.getDirectoryHandle(name, { create: true });
}

async function fileAt(
  directory: FileSystemDirectoryHandle,
  path: string,
): Promise<File | undefined> {
  const { folder, name } = splitPath(path);
  const inside = folder === "" ? directory : await folderIfAny(directory, folder);
  return inside && fileIfAny(inside, name);
}

/** Splits a path of at most two parts. */
function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const at = path.indexOf("/");
  return { folder: path.slice(0, Math.max(0, at)), name: path.slice(at + 1) };
}

async function digestOfFile(file: File): Promise<string | undefined> {
  if (file.size > MAX_WRITTEN_BYTES) return undefined;
  return digestOf(new Uint8Array(await file.arrayBuffer()));
}

async function digestOf(content: Uint8Array<ArrayBuffer>): Promise<string> {
  return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", content)));
}
