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

export const bareHeadersCalls = {
  /** Reads every package of a folder, some concurrently; returns how many there are. */
  read: async ({ root }: { readonly root: string }) => {
    const names = await readdir(root);
    const queue = names.values();
    const drive = async () => {
      for (const name of queue) await readPackage(join(root, name));
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, drive));
    return names.length;
  },
};
export type BareHeadersCalls = typeof bareHeadersCalls;

answerCalls(bareHeadersCalls);
