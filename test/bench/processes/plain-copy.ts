import { open, rm } from "node:fs/promises";
import { answerCalls } from "./answer-calls.ts";
import { longestBlock } from "./longest-block.ts";

const PIECE_BYTES = 1_048_576;

/** A minimal durable copy: read, write, flush. */
async function copyFile(from: string, to: string): Promise<void> {
  await using source = await open(from);
  await using target = await open(to, "wx");
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (;;) {
    const { bytesRead } = await source.read(piece, 0, PIECE_BYTES);
    if (bytesRead === 0) break;
    await target.write(piece, 0, bytesRead);
  }
  await target.datasync();
}

export const plainCopyCalls = {
  /** Copies a file beside itself, and deletes the copy. */
  copy: async ({ from }: { readonly from: string }) => {
    const to = `${from}.copy`;
    const measured = await longestBlock(() => copyFile(from, to));
    await rm(to);
    return measured;
  },
};
export type PlainCopyCalls = typeof plainCopyCalls;

answerCalls(plainCopyCalls);
