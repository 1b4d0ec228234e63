import type { UploadAnswer } from "../../../core/protocol/public-api.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";
import type { Context } from "../context.ts";
import { receiveSound, uploadAnswer } from "./receive-sound.ts";
import { UploadRoom } from "../packages/room.ts";
import {
  type Announced,
  findAnnounced,
  requireUploadable,
  sizeDiffers,
  type Upload,
  withAnnounced,
} from "./find-uploadable.ts";
import { putInPackage } from "./put-in-package.ts";
import { copyJudged, type RunningUpload, runUpload, whileBusy } from "./run-upload.ts";
import type { HeldTurn } from "../ports.ts";
import { offsetDiffers } from "./offset-differs.ts";
import { OpenPartial } from "./open-partial.ts";
import { hasFile } from "./read-offset.ts";
import { canResume, type ResumingContext, turnsOf } from "./resuming-stores.ts";

/** The next part of a file. */
export interface Append extends Upload {
  /** Where it begins. */
  readonly offset: number;
  /** Whether the file ends with it. */
  readonly isLast: boolean;
}

/** How far the file came; the answer to the whole of it once its package has it. */
export interface Appended {
  readonly offset: number;
  readonly answer?: UploadAnswer;
}

/**
 * Receives the next part of a WAV (rule U10). What it receives stays, however the call ends, unless the file is refused
 * for what it is: with 422. An append of the file that still runs is ended first. Where the store can't continue a
 * sound, an append of the whole file is received as `receiveSound` does.
 * @throws {Refusal} 409 UPLOAD_OFFSET_DIFFERS and UPLOAD_REPLACED, and those of `receiveSound`
 */
export async function appendSound(context: Context, append: Append): Promise<Appended> {
  return withAnnounced(context, append, async (announced) => {
    if (canResume(context)) {
      return context.partials.run(
        append,
        (replaced, held) => appendAlone(context, append, { replaced, held }),
        turnsOf(context),
      );
    }
    await requireUploadable(context, announced);
    if (hasFile(announced)) return answerFinished(append, announced);
    if (append.offset !== 0) throw offsetDiffers(append, 0, false);
    return { offset: announced.sound.bytes, answer: await receiveSound(context, append) };
  });
}

async function appendAlone(
  context: ResumingContext,
  append: Append,
  { replaced, held }: { readonly replaced: AbortSignal; readonly held: HeldTurn | undefined },
): Promise<Appended> {
  const announced = await findAnnounced(context, append);
  await requireUploadable(context, announced);
  if (hasFile(announced)) return answerFinished(append, announced);
  const received = await runUpload(context, append, async (running) => {
    replaced.addEventListener("abort", () => running.end(replaced.reason));
    replaced.throwIfAborted();
    const { caller } = append;
    const room = await UploadRoom.open(
      context,
      { caller, sound: announced.sound },
      announced.record,
    );
    const partial = await openAt(context, append, { announced, held });
    return receivePart({ append, announced, room, partial, running });
  });
  if (!append.isLast) return { offset: received.offset };
  await putInPackage(context, append, { ...received, turn: held?.turn });
  return { offset: received.offset, answer: uploadAnswer(announced.sound) };
}

/** @throws {Refusal} 409 UPLOAD_OFFSET_DIFFERS; then the partial is closed again */
async function openAt(
  context: ResumingContext,
  append: Append,
  { announced, held }: { readonly announced: Announced; readonly held: HeldTurn | undefined },
): Promise<OpenPartial> {
  const partial = await OpenPartial.open(context, announced, held);
  const storedBytes = partial?.storedBytes ?? 0;
  if (append.offset !== storedBytes) {
    throw offsetDiffers(append, (await partial?.suspend()) ?? 0, false);
  }
  return partial ?? OpenPartial.create(context, announced, held);
}

interface Part {
  readonly append: Append;
  readonly announced: Announced;
  readonly room: UploadRoom;
  readonly partial: OpenPartial;
  readonly running: RunningUpload;
}

interface ReceivedPart {
  readonly key: string;
  /** How far the file came. */
  readonly offset: number;
  /** Those that don't count for an address yet. */
  readonly receivedBytes: number;
}

/** Copies the part into the store, and finishes the sound with the last one. */
async function receivePart(part: Part): Promise<ReceivedPart> {
  const { append, announced, room, partial, running } = part;
  const { key, writer, judge } = partial;
  const { address } = append.caller;
  const { slot } = running;
  try {
    refuseLength(append, announced);
    await copyJudged(append.body(running.ended), { writer, judge, room, slot });
    if (append.isLast) await whileBusy(slot, partial.finish());
  } catch (error) {
    const isRefused = error instanceof Refusal && error.status === 422;
    // What can't be stored now is refused for that reason, and not for this one.
    await (isRefused ? partial.drop() : partial.keep(address)).catch(() => undefined);
    throw error;
  }
  const offset = append.isLast ? announced.sound.bytes : await partial.keep(address);
  return { key, offset, receivedBytes: partial.uncountedBytes };
}

/** Refuses at once what can't become the announced size (rule U2). */
function refuseLength({ contentLength, offset, isLast }: Append, { sound }: Announced): void {
  if (contentLength === undefined) return;
  const size = offset + contentLength;
  if (size > sound.bytes || (isLast && size < sound.bytes)) throw sizeDiffers(sound, size);
}

/** The last part may be sent again: its answer may have been lost. */
async function answerFinished(append: Append, { sound }: Announced): Promise<Appended> {
  if (append.offset !== sound.bytes) throw offsetDiffers(append, sound.bytes, true);
  if (append.contentLength !== 0) {
    for await (const { byteLength } of append.body(new AbortController().signal)) {
      throw sizeDiffers(sound, sound.bytes + byteLength);
    }
  }
  return { offset: sound.bytes, answer: uploadAnswer(sound) };
}
