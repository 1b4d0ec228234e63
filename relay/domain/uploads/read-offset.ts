import type { Context } from "../context.ts";
import type { HeldTurn } from "../ports.ts";
import { refuseFile } from "./refuse-upload.ts";
import { type Announced, findAnnounced, type UploadTarget } from "./find-uploadable.ts";
import { OpenPartial } from "./open-partial.ts";
import { canResume, turnsOf } from "./resuming-stores.ts";

/** How far a file has come. */
export interface UploadOffset {
  /** Bytes that are durable, from the first one on. */
  readonly offset: number;
  /** Whether the package has the file. */
  readonly isComplete: boolean;
  /** As announced. */
  readonly bytes: number;
  /** Until the upload window ends; 0 after that. */
  readonly leftMs: number;
}

/**
 * Tells how far a file has come (rule U10). Ends an append that still runs, and waits until its bytes are stored: what
 * is answered never falls while the file is continued.
 * @throws {Refusal} 404; 409 if the package neither has the file nor accepts it
 */
export async function readOffset(context: Context, target: UploadTarget): Promise<UploadOffset> {
  await findAnnounced(context, target);
  const read = async (_replaced: AbortSignal, held?: HeldTurn): Promise<UploadOffset> => {
    const announced = await findAnnounced(context, target);
    const { sound, record } = announced;
    const leftMs = Math.max(0, record.life.uploadEndsAt - context.clock.provenNow());
    const { bytes } = sound;
    if (hasFile(announced)) return { offset: bytes, isComplete: true, bytes, leftMs };
    const refused = refuseFile(context, record);
    if (refused !== undefined) throw refused;
    const partial = canResume(context) && (await OpenPartial.open(context, announced, held));
    const offset = partial ? await partial.suspend() : 0;
    return { offset, isComplete: false, bytes, leftMs };
  };
  return context.partials.run(target, read, turnsOf(context));
}

/** Whether the package has the file. */
export function hasFile({ sound, record }: Announced): boolean {
  return record.uploaded.has(sound.file) && !record.filesDeleted;
}
