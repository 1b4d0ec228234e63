import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { answerCalls } from "./answer-calls.ts";

const CONCURRENCY = 16;
const HEADER_BYTES = 4096;

/** A minimal read of a package's headers: parses its manifest, reads the first bytes of each WAV. */
async function readPackage(folder: string): Promise<void> {
  const manifest: { readonly items: readonly { readonly file: string }[] } = JSON.parse(
    await readFile(join(folder, "manifest.json"), "utf8"),
  );
  for (const { file } of manifest.items) {
    await using wav = await open(join(folder, file));
    await wav.read(new Uint8Array(HEADER_BYTES), 0, HEADER_BYTES, 0);
  }
}

/** Reads a package's files whole, piece by piece, and hashes each. */
async function hashPackage(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".wav")) continue;
    const hash = createHash("sha256");
    for await (const piece of createReadStream(join(folder, name))) hash.update(piece);
    hash.digest();
  }
}

/** Works through the packages of a folder, some concurrently; returns how many there are. */
async function forEachPackage(
  root: string,
  work: (folder: string) => Promise<void>,
): Promise<number> {
  const names = await readdir(root);
  const queue = names.values();
  const drive = async () => {
    for (const name of queue) await work(join(root, name));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, drive));
  return names.length;
}

export const bareHeadersCalls = {
  /** Reads the headers of every package. */
  read: ({ root }: { readonly root: string }) => forEachPackage(root, readPackage),
  /** Reads and hashes every sound. */
  hash: ({ root }: { readonly root: string }) => forEachPackage(root, hashPackage),
};
export type BareHeadersCalls = typeof bareHeadersCalls;

answerCalls(bareHeadersCalls);
