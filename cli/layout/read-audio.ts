import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import type { LocalPackage } from "../../addon/packages/local-package.ts";
import { PeakEnvelope } from "../../core/audio/peak-envelope.ts";
import { decodeSamples } from "../../core/audio/read-samples.ts";
import { blockAlign } from "../../core/audio/wav-header.ts";
import { MAX_ENVELOPE_COLUMNS, type SoundAudioJson } from "../../core/layout/audio-schema.ts";
import type { Sound } from "../../core/manifest/manifest.ts";
import { formatUnreadable } from "../../core/text/format-unreadable.ts";
import type { ReadWav } from "./read-package-folder.ts";

/** Bytes that are read at a time: whole frames of every format. */
const PIECE_BYTES = 196_608;

/** Gets a sound's audio while it is read: each piece as the samples of every channel, in order. */
export interface AudioListener {
  add(channels: readonly Float32Array[]): void;
}

/** The audio of a sound, as a golden keeps it. */
export interface ReadAudio {
  readonly json: SoundAudioJson;
  /** SHA-256 of the whole file; undefined if the manifest doesn't say it. */
  readonly fileSha256: string | undefined;
}

/**
 * Reads a sound's file once, from start to end, and feeds everything that wants its bytes or its audio (rule B6). Holds
 * one piece at a time.
 * @throws {LocalPackageError} if the file can't be read, or isn't the one with this header any more
 */
export async function readAudio(
  local: LocalPackage,
  sound: Sound,
  header: ReadWav,
  listeners: readonly AudioListener[] = [],
): Promise<ReadAudio> {
  const { file, fingerprint } = await local.openFile(sound);
  try {
    if (fingerprint !== header.fingerprint) throw changedMeanwhile(sound);
    return await readOpenFile(file, sound, header, listeners);
  } finally {
    await file.close();
  }
}

async function readOpenFile(
  file: FileHandle,
  sound: Sound,
  header: ReadWav,
  listeners: readonly AudioListener[],
): Promise<ReadAudio> {
  const { dataOffset, frames, fileBytes } = header;
  const [audio, chunks] = [createHash("sha256"), createHash("sha256")];
  const whole = sound.sha256 === undefined ? undefined : createHash("sha256");
  const envelope = new PeakEnvelope(frames, MAX_ENVELOPE_COLUMNS);
  // Everything that listens to a sound is fed here, so that its audio is read and decoded once.
  const hearing = [envelope, ...listeners];
  const audioEnd = dataOffset + frames * blockAlign(header);
  const spans = [
    { from: 0, end: dataOffset, take: (piece: Uint8Array) => chunks.update(piece) },
    { from: dataOffset, end: audioEnd, take: hearPiece },
    { from: audioEnd, end: fileBytes, take: (piece: Uint8Array) => chunks.update(piece) },
  ];
  function hearPiece(piece: Uint8Array): void {
    audio.update(piece);
    const channels = decodeSamples(piece, header);
    for (const listener of hearing) listener.add(channels);
  }
  for (const { from, end, take } of spans) {
    for await (const piece of readPieces(file, sound, from, end)) {
      whole?.update(piece);
      take(piece);
    }
  }
  return {
    json: {
      id: sound.id,
      role: sound.role ?? null,
      file: sound.file,
      bytes: fileBytes,
      sha256: audio.digest("hex"),
      chunks_sha256: chunks.digest("hex"),
      encoding: header.encoding,
      bits: header.bitsPerSample,
      channels: header.channels,
      sample_rate_hz: header.sampleRateHz,
      frames,
      peaks: envelope.format(),
    },
    fileSha256: whole?.digest("hex"),
  };
}

/**
 * Hashes a whole file that isn't usable as a sound.
 * @throws {LocalPackageError} if it can't be read
 */
export async function hashFile(local: LocalPackage, sound: Sound): Promise<string> {
  const { file, sizeBytes } = await local.openFile(sound);
  const hash = createHash("sha256");
  try {
    for await (const piece of readPieces(file, sound, 0, sizeBytes)) hash.update(piece);
    return hash.digest("hex");
  } finally {
    await file.close();
  }
}

/** Reads a span of a file piece by piece, each into the same memory. */
async function* readPieces(
  file: FileHandle,
  sound: Sound,
  from: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  const room = new Uint8Array(Math.min(PIECE_BYTES, end - from));
  for (let at = from; at < end; at += PIECE_BYTES) {
    const piece = room.subarray(0, end - at);
    // A read may return less than it was asked for.
    for (let filled = 0; filled < piece.byteLength;) {
      const reading = file.read(piece, filled, piece.byteLength - filled, at + filled);
      const { bytesRead } = await reading.catch((cause: unknown) => {
        throw new LocalPackageError(formatUnreadable(cause, sound.file), { cause });
      });
      if (bytesRead === 0) throw changedMeanwhile(sound);
      filled += bytesRead;
    }
    yield piece;
  }
}

function changedMeanwhile({ file }: Sound): LocalPackageError {
  return new LocalPackageError(`${file} changed while it was read. Try again.`);
}
