import type { Held } from "../admission/budget.ts";
import type { Context } from "../context.ts";
import { requireOwnSounds } from "../upkeep/lost-sounds.ts";
import type { SoundWriter } from "../ports.ts";
import type { UploadRoom } from "../packages/room.ts";
import { type RunningTransfer, watchUpload } from "./running-transfers.ts";
import type { Upload } from "./find-uploadable.ts";
import type { SoundJudge } from "./sound-judge.ts";

/** An upload that has its place among the running ones. */
export interface RunningUpload {
  readonly slot: Held;
  /** Aborts when it must end. */
  readonly ended: AbortSignal;
  /** Ends it. */
  end(why: Error): void;
}

/** Receives bytes as one of the running uploads, and ends early when it can't succeed any more (rule J9). */
export async function runUpload<Result>(
  context: Context,
  upload: Upload,
  receive: (running: RunningUpload) => Promise<Result>,
): Promise<Result> {
  let transfer: RunningTransfer | undefined;
  const end = (why: Error) => transfer?.end(why);
  const slot = context.admission.take("uploads", upload.caller, 1, end);
  try {
    transfer = watchUpload(context, upload);
    await requireOwnSounds(context);
    return await receive({ slot, ended: transfer.ended, end });
  } finally {
    transfer?.[Symbol.dispose]();
    slot[Symbol.dispose]();
  }
}

/** Where the bytes of an upload go. */
export interface Copying {
  readonly writer: SoundWriter;
  readonly judge: SoundJudge;
  readonly room: UploadRoom;
  readonly slot: Held;
}

/** Copies bytes as they come, each piece judged before it is stored. @throws {Refusal} what the judge throws; 507, 429 */
export async function copyJudged(
  body: AsyncIterable<Uint8Array>,
  { writer, judge, room, slot }: Copying,
): Promise<void> {
  for await (const piece of body) {
    slot.moved(piece.byteLength);
    judge.push(piece);
    const full = writer.write(piece);
    if (full !== undefined) await whileBusy(slot, full);
    const kept = room.keep();
    if (kept !== undefined) await whileBusy(slot, kept);
  }
}

/** The sender doesn't stand still while the relay itself is busy (rule L7). */
export async function whileBusy<Result>(slot: Held, work: Promise<Result>): Promise<Result> {
  slot.use(true);
  const result = await work;
  slot.use(false);
  return result;
}
