import { type FileHandle, open, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileNameFor } from "../../../../core/text/file-name.ts";
import { wavHeaderBytes, type WavHeader } from "../../../../core/audio/wav-header.ts";
import { flushData, hasCode } from "../../../disk/atomic-file.ts";
import { listFile } from "../../../disk/folder-marker.ts";
import { formatGain } from "./volume.ts";
import { readWavHeader } from "../../../disk/read-at.ts";

/** The number of samples per block, 256 KiB of the copy. Larger blocks hold up the event loop longer. */
const BLOCK_SAMPLES = 65_536;
const FLOAT_BYTES = 4;
/** The limit of a WAV's 32-bit sizes. */
const MOST_BYTES = 0xffff_ffff;

/**
 * Copies a WAV with a gain applied to its samples, as 32-bit float, so that nothing clips. The copy lies
 * next to the file, is named after file and gain, and never overwrites another file. It contains only
 * the audio, no other chunks, and is flushed. Memory stays at three blocks. The folder's marker lists
 * the copy until `removeCopy`. On failure there is no copy.
 *
 * @returns the copy's path
 * @throws {Refusal} when the file isn't a usable WAV (rule U4)
 * @throws {unknown} the disk's error or the signal's reason
 */
export async function makeGainedCopy(
  path: string,
  gainDb: number,
  signal: AbortSignal,
): Promise<string> {
  await using source = await open(path);
  const header = await readWavHeader(source, path);
  const copy = await openNew(dirname(path), `${basename(path, ".wav")} ${formatGain(gainDb)}`);
  try {
    await using target = copy.file;
    await listFile(copy.path, "made");
    await copyGained(source, target, { header, factor: 10 ** (gainDb / 20), signal });
    await flushData(target);
  } catch (error) {
    await removeCopy(copy.path);
    throw error;
  }
  return copy.path;
}

/** Deletes a gained copy that nothing plays; a failure is ignored. */
export async function removeCopy(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
    await listFile(path, "gone");
  } catch {
    // The marker still lists it: the next import or `clearKeptFiles` deletes it.
  }
}

/** Creates a file with a free name; the file system checks the name, without a race. */
async function openNew(
  folder: string,
  name: string,
): Promise<{ readonly file: FileHandle; readonly path: string }> {
  const taken = new Set<string>();
  for (;;) {
    const fileName = fileNameFor(name, ".wav", (candidate) => taken.has(candidate));
    const path = join(folder, fileName);
    try {
      return { file: await open(path, "wx"), path };
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
      taken.add(fileName);
    }
  }
}

interface GainOptions {
  readonly header: WavHeader;
  /** The number by which each sample is multiplied. */
  readonly factor: number;
  readonly signal: AbortSignal;
}

async function copyGained(
  source: FileHandle,
  target: FileHandle,
  { header, factor, signal }: GainOptions,
): Promise<void> {
  const sampleBytes = header.bitsPerSample / 8;
  const inBytes = header.frames * header.channels * sampleBytes;
  const start = wavHeaderBytes({ ...header, encoding: "float", bitsPerSample: 32 }, header.frames);
  if (start.length + (inBytes / sampleBytes) * FLOAT_BYTES > MOST_BYTES) {
    throw new RangeError("The file is too long for a copy in float.");
  }
  await target.writeFile(start);
  const block = new Uint8Array(BLOCK_SAMPLES * sampleBytes);
  // Scale the next block during a write.
  let [floats, spare] = [new Float32Array(BLOCK_SAMPLES), new Float32Array(BLOCK_SAMPLES)];
  let writing = Promise.resolve();
  for (let done = 0; done < inBytes;) {
    signal.throwIfAborted();
    const wanted = block.subarray(0, Math.min(block.length, inBytes - done));
    await readAll(source, wanted, header.dataOffset + done);
    const { buffer, byteLength } = scaleSamples(wanted, header, factor, floats);
    await writing;
    writing = target.writeFile(new Uint8Array(buffer, 0, byteLength));
    // The next await of `writing` reports the failure.
    writing.catch(() => undefined);
    [floats, spare] = [spare, floats];
    done += wanted.length;
  }
  await writing;
}

async function readAll(file: FileHandle, into: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < into.length;) {
    const { bytesRead } = await file.read(into, done, into.length - done, position + done);
    if (bytesRead === 0) throw new Error("The file became shorter while it was read.");
    done += bytesRead;
  }
}

type SampleFormat = Pick<WavHeader, "encoding" | "bitsPerSample">;

/**
 * Converts the samples of a block to floats, where full scale is 1, times a factor. Doesn't clip.
 * @param block whole little-endian samples from the buffer's first byte on
 * @param target with room for one float per sample
 * @returns the filled part of `target`
 */
function scaleSamples(
  block: Uint8Array,
  { encoding, bitsPerSample }: SampleFormat,
  factor: number,
  target: Float32Array,
): Float32Array {
  const count = block.byteLength / (bitsPerSample / 8);
  const { buffer } = block;
  if (bitsPerSample === 24) scale24(block, factor, target);
  else if (bitsPerSample === 8) scaleFrom(block, factor / 0x80, target, 0x80);
  else if (bitsPerSample === 16)
    scaleFrom(new Int16Array(buffer, 0, count), factor / 0x8000, target);
  else if (encoding === "float") scaleFrom(new Float32Array(buffer, 0, count), factor, target);
  else scaleFrom(new Int32Array(buffer, 0, count), factor / 0x8000_0000, target);
  return target.subarray(0, count);
}

/** Scales whole samples. @param silence the sample value of silence */
function scaleFrom(
  samples: Uint8Array | Int16Array | Int32Array | Float32Array,
  factor: number,
  target: Float32Array,
  silence = 0,
): void {
  for (let index = 0; index < samples.length; index += 1) {
    target[index] = ((samples[index] ?? 0) - silence) * factor;
  }
}

/** Scales 24-bit samples, whose three bytes are shifted into the upper 24 of 32 bits, which keeps the sign. */
function scale24(block: Uint8Array, factor: number, target: Float32Array): void {
  const step = factor / 0x8000_0000;
  for (let at = 0, index = 0; at < block.length; at += 3, index += 1) {
    const upper = ((block[at + 2] ?? 0) << 24) | ((block[at + 1] ?? 0) << 16);
    target[index] = (upper | ((block[at] ?? 0) << 8)) * step;
  }
}
