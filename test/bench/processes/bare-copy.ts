import { createHash } from "node:crypto";
import { mkdir, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { answerCalls } from "./answer-calls.ts";

const PIECE_BYTES = 1_048_576;
const FILES_AT_ONCE = 4;

/** A minimal durable, checked copy: read, hash, write, flush. */
async function copyFile(from: string, to: string): Promise<void> {
  const [source, target] = [await open(from), await open(to, "wx")];
  const digest = createHash("sha256");
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  for (;;) {
    const { bytesRead } = await source.read(buffer);
    if (bytesRead === 0) break;
    const piece = buffer.subarray(0, bytesRead);
    digest.update(piece);
    await target.write(piece);
  }
  digest.digest();
  await target.sync();
  await Promise.all([source.close(), target.close()]);
}

export const bareCopyCalls = {
  /** Copies every file of a folder into a new one, four at a time, as the importer downloads. */
  copy: async ({ from, to }: { readonly from: string; readonly to: string }) => {
    await mkdir(to);
    const names = (await readdir(from)).values();
    const copyOthers = async () => {
      for (const name of names) await copyFile(join(from, name), join(to, name));
    };
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, copyOthers));
    const handle = await open(to);
    await handle.sync();
    await handle.close();
  },
};
export type BareCopyCalls = typeof bareCopyCalls;

answerCalls(bareCopyCalls);
