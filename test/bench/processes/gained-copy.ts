import { rm } from "node:fs/promises";
import { makeGainedCopy } from "../../../addon/hosts/live/sdk/gained-copy.ts";
import { answerCalls } from "./answer-calls.ts";
import { longestBlock } from "./longest-block.ts";

export const gainedCopyCalls = {
  /** Makes a copy with gain beside the file, and deletes it. */
  copy: async ({ from }: { readonly from: string }) => {
    let copy = "";
    const measured = await longestBlock(async () => {
      copy = await makeGainedCopy(from, -24, new AbortController().signal);
    });
    await rm(copy);
    return measured;
  },
};
export type GainedCopyCalls = typeof gainedCopyCalls;

answerCalls(gainedCopyCalls);
