import { nameSound } from "../../../core/protocol/name-sound.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { OffsetDiffers } from "../partials/offset-differs.ts";
import type { Announced } from "./find-uploadable.ts";

/** Receives a file. A refusal about it says which sound of its package it is (rule E3). */
export async function namingSound<Result>(
  { sound, record }: Announced,
  receive: () => Promise<Result>,
): Promise<Result> {
  try {
    return await receive();
  } catch (error) {
    // This one is for programs, which know what they send: it has facts of its own.
    if (!(error instanceof Refusal) || error instanceof OffsetDiffers) throw error;
    throw nameSound(error, record.manifest.items, sound.file);
  }
}
