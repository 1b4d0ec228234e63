import { findUnflushable, formatUnflushable } from "../program/flush-folder.ts";
import type { Output } from "./output.ts";

/** Writes a line about each folder that can't be flushed (rule Z13). */
export async function noteUnflushable(folders: readonly string[], output: Output): Promise<void> {
  for (const folder of folders) {
    const found = await findUnflushable([folder]);
    if (found !== undefined) output.say(formatUnflushable(found, "What is saved"));
  }
}
