import type { UploadAnswer } from "../../../core/protocol/public-api.ts";
import { filesEndAt } from "../../../core/protocol/package-state.ts";
import { Refusal, refusal } from "../../../core/protocol/refusal.ts";
import {
  formatUploadComplete,
  MISMATCHING_OFFSET,
  UPLOAD_HEADERS,
} from "../../../core/protocol/upload-draft.ts";
import type { Permit } from "../admission/budgets.ts";
import type { Context } from "../context.ts";
import { UploadRoom } from "../packages/room.ts";
import type { HeldTurn } from "../ports.ts";
import {
  type Announced,
  findAnnounced,
  receivingSound,
  refuseFile,
  requireUploadable,
  type Upload,
  type UploadTarget,
} from "./find-uploadable.ts";
import { canResume, OpenPartial, type ResumingContext } from "./open-partial.ts";
import {
  copyJudged,
  putInPackage,
  receiveSound,
  uploadAnswer,
  whileBusy,
} from "./receive-sound.ts";
import { runUpload, type WatchedUpload, withUploadable } from "./running-transfers.ts";
import { sizeDiffers } from "./sound-judge.ts";

// A file that is sent in several calls (rule U10): its parts, and the question how far it has arrived.

/** The next part of a file. */
interface Append extends Upload {
  /** Number of the file's bytes before this part. */
  readonly offset: number;
  /** True if the file ends with this part. */
  readonly isLast: boolean;
}

/** Number of the file's stored bytes; with the answer once the package has the file. */
export interface Appended {
  readonly offset: number;
  readonly answer?: UploadAnswer;
}

/**
 * Receives the next part of a WAV. Received bytes stay, however the call ends, unless the file itself is refused, with
 * 422. An append of the file that still runs is ended first. If the store can't continue a sound, only an append of the
 * whole file is received, with `receiveSound`.
 * @throws {Refusal} 409 UPLOAD_OFFSET_DIFFERS and UPLOAD_REPLACED, and those of `receiveSound`
 */
export async function appendSound(context: Context, append: Append): Promise<Appended> {
  const announced = await findAnnounced(context, append);
  return receivingSound(context, append, announced, async () => {
    if (canResume(context)) {
      return context.partials.run(
        append,
        (replaced, held) => appendAlone(context, append, { replaced, held }),
        context.soundKeys.turns,
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
  const { caller } = append;
  return withUploadable(context, append, async (announced, watched) => {
    if (hasFile(announced)) return answerFinished(append, announced);
    const { sound, record } = announced;
    const received = await runUpload(context, { caller, watched }, async (slot) => {
      replaced.addEventListener("abort", () => watched.end(replaced.reason));
      replaced.throwIfAborted();
      const room = await UploadRoom.open(context, { caller, sound }, record);
      const partial = await openAt(context, append, { announced, held });
      return receivePart({ append, announced, room, partial, watched, slot });
    });
    if (!append.isLast) return { offset: received.offset };
    await putInPackage(context, append, { ...announced, ...received, turn: held?.turn });
    return { offset: received.offset, answer: uploadAnswer(sound) };
  });
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
  readonly watched: WatchedUpload;
  readonly slot: Permit;
}

interface ReceivedPart {
  readonly key: string;
  /** Number of the file's stored bytes. */
  readonly offset: number;
  /** The bytes that don't count for an address yet. */
  readonly receivedBytes: number;
}

/** Copies the part into the store, and finishes the sound with the last one. */
async function receivePart(part: Part): Promise<ReceivedPart> {
  const { append, announced, room, partial, watched, slot } = part;
  const { key, writer, judge } = partial;
  const { address } = append.caller;
  try {
    refuseLength(append, announced);
    await copyJudged(append.body(watched.ended), { writer, judge, room, slot });
    if (append.isLast) await whileBusy(slot, partial.finish());
    const offset = append.isLast ? announced.sound.bytes : await partial.keep(address);
    return { key, offset, receivedBytes: partial.uncountedBytes };
  } catch (error) {
    const isRefused = error instanceof Refusal && error.status === 422;
    // The first failure is the answer, whatever becomes of the stored bytes.
    await (isRefused ? partial.drop() : partial.keep(address)).catch(() => undefined);
    throw error instanceof Refusal ? error : await partial.reasonOf(error);
  }
}

/** Refuses a length at once that can't lead to the announced size (rule U2). */
function refuseLength({ contentLength, offset, isLast }: Append, { sound }: Announced): void {
  if (contentLength === undefined) return;
  const size = offset + contentLength;
  if (size > sound.bytes || (isLast && size < sound.bytes)) throw sizeDiffers(sound, size);
}

/** Answers a last part that is sent again, because its answer may have been lost. */
async function answerFinished(append: Append, { sound }: Announced): Promise<Appended> {
  if (append.offset !== sound.bytes) throw offsetDiffers(append, sound.bytes, true);
  if (append.contentLength !== 0) {
    for await (const { byteLength } of append.body(new AbortController().signal)) {
      throw sizeDiffers(sound, sound.bytes + byteLength);
    }
  }
  return { offset: sound.bytes, answer: uploadAnswer(sound) };
}

/**
 * The refusal of a part that doesn't begin where the stored bytes end. It names the right offset.
 * @param isComplete true if the package has the file
 */
function offsetDiffers(
  { file, offset }: { readonly file: string; readonly offset: number },
  right: number,
  isComplete: boolean,
): Refusal {
  const body = { type: MISMATCHING_OFFSET, "expected-offset": right, "provided-offset": offset };
  const headers = {
    [UPLOAD_HEADERS.offset]: String(right),
    [UPLOAD_HEADERS.complete]: formatUploadComplete(isComplete),
  };
  return refusal("UPLOAD_OFFSET_DIFFERS", { file, offset: right }, { body, headers });
}

/** The progress of a file. */
export interface UploadOffset {
  /** Number of durable bytes, from the first one on. */
  readonly offset: number;
  /** True if the package has the file. */
  readonly isComplete: boolean;
  /** The announced size. */
  readonly bytes: number;
  /** Milliseconds until the upload window ends; 0 after that. */
  readonly leftMs: number;
}

/**
 * Reads how far a file has arrived. Ends an append that still runs, and waits until its bytes are stored, so that the
 * offset never falls while the file is continued.
 * @throws {Refusal} 404; 409 if the package neither has the file nor accepts it
 */
export async function readOffset(context: Context, target: UploadTarget): Promise<UploadOffset> {
  await findAnnounced(context, target);
  const read = async (_replaced: AbortSignal, held?: HeldTurn): Promise<UploadOffset> => {
    const announced = await findAnnounced(context, target);
    const before = refuseOrAnswer(context, announced);
    if (before.isComplete) return before;
    const stored = await Promise.allSettled([storedBytes(context, announced, held)]);
    // A deletion may have taken the bytes away meanwhile (rule Z15).
    const after = refuseOrAnswer(context, await findAnnounced(context, target));
    if (after.isComplete) return after;
    const [outcome] = stored;
    if (outcome.status === "rejected") throw outcome.reason;
    return { ...after, offset: outcome.value };
  };
  return context.partials.run(target, read, context.soundKeys.turns);
}

async function storedBytes(
  context: Context,
  announced: Announced,
  held: HeldTurn | undefined,
): Promise<number> {
  const partial = canResume(context) && (await OpenPartial.open(context, announced, held));
  if (!partial) return 0;
  const [outcome] = await Promise.allSettled([partial.suspend()]);
  const isStored = outcome.status === "fulfilled";
  const why = await partial.reasonOf(isStored ? undefined : outcome.reason);
  if (why !== undefined || !isStored) throw why;
  return outcome.value;
}

/** Returns the answer for a file of which nothing or all has arrived. @throws {Refusal} 409 if it is not accepted */
function refuseOrAnswer(context: Context, announced: Announced): UploadOffset {
  const { sound, record } = announced;
  const leftMs = Math.max(0, filesEndAt(record.life) - context.clock.confirmedNow());
  const { bytes } = sound;
  if (hasFile(announced)) return { offset: bytes, isComplete: true, bytes, leftMs };
  const refused = refuseFile(context, record, sound.file);
  if (refused !== undefined) throw refused;
  return { offset: 0, isComplete: false, bytes, leftMs };
}

/** Checks whether the package has the file. */
function hasFile({ sound, record }: Announced): boolean {
  return record.uploaded.has(sound.file) && !record.filesDeleted;
}
