import { createHash } from "node:crypto";
import { mkdir, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { answerCalls } from "./answer-calls.ts";

const PIECE_BYTES = 1_048_576;

/** A minimal durable, checked copy: read, hash, write, flush. */
async function copyFile(from: string, to: string): Promise<void> {
  const [source, target] = [await open(from), await open(to, "wx")];
  const digest = createHash("sha256");
  for (;;) {
    const { bytesRead, buffer } = await source.read(Buffer.allocUnsafe(PIECE_BYTES));
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
  /** Copies every file of a folder into a new one, one after another. */
  copy: async ({ from, to }: { readonly from: string; readonly to: string }) => {
    await mkdir(to);
    for (const name of await readdir(from)) await copyFile(join(from, name), join(to, name));
    const handle = await open(to);
    await handle.sync();
    await handle.close();
  },
};
export type BareCopyCalls = typeof bareCopyCalls;

answerCalls(bareCopyCalls);
