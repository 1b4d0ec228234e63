import { CONTAINERS, isWavStart, textAt } from "./file-start.ts";
import { measureAudio } from "./measure-audio.ts";
import { planSamples } from "./plan-samples.ts";
import { type Chunk, isWholeChunk, readChunks } from "./read-chunks.ts";
import type { ReadAt } from "./read-wav-header-at.ts";
import { type RepairNote, repairNote } from "./repair-note.ts";
import type { FileAudio } from "./samples.ts";
import { RIFF_HEADER_BYTES } from "./wav-header.ts";

/** The parts of a file that a right WAV is made of. */
export interface WavRepair {
  /** null for a file that stays as it is, usable or not. */
  readonly audio: FileAudio | null;
  /** The other chunks, such as loop points. */
  readonly kept: readonly Pick<Chunk, "bodyOffset" | "bodyBytes">[];
  readonly notes: readonly RepairNote[];
}

const AS_IT_IS: WavRepair = { audio: null, kept: [], notes: [] };
/** Chunks that describe the old file. */
const REPLACED = new Set(["fmt ", "data", "fact", "ds64"]);

/**
 * Plans how a file becomes a WAV that a relay accepts (rule G17). What can't be repaired stays as it is, so that its
 * header is refused.
 */
export async function planWavRepair(readAt: ReadAt, fileBytes: number): Promise<WavRepair> {
  const start = await readAt(0, Math.min(RIFF_HEADER_BYTES, fileBytes));
  if (!isWavStart(start)) return AS_IT_IS;
  const container = textAt(start, 0);
  const isLittleEndian = container !== "RIFX";
  const chunks = await readChunks(readAt, RIFF_HEADER_BYTES, fileBytes, isLittleEndian);
  const dataIndex = chunks.findIndex(({ name }) => name === "data");
  const data = chunks[dataIndex];
  if (data === undefined) return AS_IT_IS;
  const before = chunks.slice(0, dataIndex);
  const riffBytes = new DataView(start.buffer, start.byteOffset).getUint32(4, isLittleEndian);
  const place = { before, data, next: chunks[dataIndex + 1], riffBytes, fileBytes };
  const length = await measureAudio(readAt, place);
  if (length === undefined) return AS_IT_IS;
  const { bytes: dataBytes, second } = length;
  const { bodyOffset: dataOffset } = data;
  const format = await planSamples(readAt, { before, dataOffset, dataBytes, isLittleEndian });
  if (format === undefined) return AS_IT_IS;
  const frames = Math.floor(dataBytes / (format.wav.channels * format.sampleBytes));
  const repairs = [
    ...(container === "RIFF" ? [] : [repairNote("repair.container", container)]),
    ...format.notes,
    ...length.notes,
  ];
  if (frames === 0) return AS_IT_IS;
  if (repairs.length === 0) return { ...AS_IT_IS, notes: second };
  const after = await readChunks(readAt, length.endOffset, fileBytes, isLittleEndian);
  const kept = isLittleEndian ? keptOf([...before, ...after], fileBytes) : [];
  return { audio: { ...format, dataOffset, frames }, kept, notes: [...repairs, ...second] };
}

/** Finds the chunks of a WAV that a relay accepts, such as loop points, that stay when its audio is replaced. */
export async function findKeptChunks(
  readAt: ReadAt,
  fileBytes: number,
): Promise<WavRepair["kept"]> {
  return keptOf(await readChunks(readAt, RIFF_HEADER_BYTES, fileBytes, true), fileBytes);
}

function keptOf(chunks: readonly Chunk[], fileBytes: number): readonly Chunk[] {
  return untilNextFile(chunks).filter(
    (chunk) => isWholeChunk(chunk, fileBytes) && !REPLACED.has(chunk.name),
  );
}

function untilNextFile(chunks: readonly Chunk[]): readonly Chunk[] {
  const next = chunks.findIndex(({ name }) => CONTAINERS.includes(name));
  return next < 0 ? chunks : chunks.slice(0, next);
}
