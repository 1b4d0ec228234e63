import { expect } from "vitest";
import { callingApp } from "../../../../relay/domain/caller.ts";
import type { Context } from "../../../../relay/domain/context.ts";
import {
  type Appended,
  appendSound,
  readOffset,
  type UploadOffset,
} from "../../../../relay/domain/uploads/append-sound.ts";
import { doomedKeys, storedKeys, wavOf } from "../use-cases.ts";
import { resumesSounds } from "../../../../relay/domain/ports.ts";
import { openUpload } from "./open-upload.ts";

/** A sound of 1000 bytes, no two parts of it the same. */
export const SOUND: Buffer = Buffer.from(
  wavOf(1000).map((byte, at) => (at < 44 ? byte : at % 251)),
);
const FILE = "kick.wav";

/** A relay with an announced sound, and a way to send it in parts. */
export async function openAppend(sound: Uint8Array = SOUND) {
  const relay = await openUpload({ [FILE]: sound });
  const { app, packageId } = relay;
  return Object.assign(relay, {
    /** @param end of the part; the sound's end completes it */
    append: (
      offset: number,
      end = sound.byteLength,
      { context = relay.cases.context, ...options }: AppendOptions = {},
    ): Promise<Appended> => {
      const { pieces = [sound.slice(offset, end)], address = "192.0.2.1" } = options;
      const body = async function* (): AsyncIterable<Uint8Array> {
        for (const piece of pieces) yield typeof piece === "function" ? await piece() : piece;
      };
      const isLast = end === sound.byteLength;
      const caller = callingApp(app, address);
      const { contentLength } = options;
      const target = { app, caller, packageId, file: FILE, contentLength };
      return appendSound(context, { ...target, body, offset, isLast });
    },
    offset: (context: Context = relay.cases.context): Promise<UploadOffset> =>
      readOffset(context, { app, packageId, file: FILE }),
  });
}

interface AppendOptions {
  readonly context?: Context;
  /** A function runs when its piece is asked for. */
  readonly pieces?: readonly (Uint8Array | (() => Promise<Uint8Array>))[];
  readonly address?: string;
  readonly contentLength?: number;
}

export type Opened = Awaited<ReturnType<typeof openAppend>>;

export async function expectNothingLeft({ cases }: Opened): Promise<void> {
  expect(await storedKeys(cases)).toEqual([]);
  expect(await doomedKeys(cases)).toEqual([]);
}

/** Stores other bytes in place of those that are stored. */
export async function replaceStored({ cases }: Opened, bytes: Uint8Array): Promise<void> {
  const { sounds } = cases.context;
  const [key = ""] = await storedKeys(cases);
  await sounds.delete([key]);
  if (!resumesSounds(sounds)) throw new Error("The store can continue a sound.");
  const writer = await sounds.create(key, { bytes: 1000, sha256: "" });
  await writer.write(bytes);
  await writer.suspend();
}
