import { createCipheriv, createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as wav from "../../fixtures/wav-bytes.ts";
import { MAX_PACKAGE_BYTES } from "../../core/limits.ts";

/** The largest file and the largest package that a relay accepts. */
export const LARGEST_BYTES = MAX_PACKAGE_BYTES;

const HEADER_BYTES = 44;
const BLOCK_BYTES = 1_048_576;
/** Incompressible noise, the same in every process. */
const BLOCK = createCipheriv("aes-128-ctr", Buffer.alloc(16), Buffer.alloc(16)).update(
  Buffer.alloc(BLOCK_BYTES),
);

/** A 16-bit stereo WAV of exactly `sizeBytes` (a multiple of four), in pieces of 1 MiB. */
export function* bigWav(sizeBytes: number): Generator<Uint8Array> {
  const dataBytes = sizeBytes - HEADER_BYTES;
  yield wav.join(
    wav.ascii("RIFF"),
    wav.uint32(sizeBytes - 8),
    wav.ascii("WAVE"),
    wav.chunk("fmt ", wav.format({ channels: 2 })),
    wav.ascii("data"),
    wav.uint32(dataBytes),
  );
  for (let left = dataBytes; left > 0; left -= BLOCK_BYTES) yield BLOCK.subarray(0, left);
}

/** A manifest of `count` sounds, each `bigWav(soundBytes)`. */
export function bigManifest(count: number, soundBytes: number) {
  const digest = createHash("sha256");
  for (const piece of bigWav(soundBytes)) digest.update(piece);
  const sha256 = digest.digest("hex");
  return {
    schema: "app2host/1",
    title: "Bench",
    source: { app: "Bench" },
    items: Array.from({ length: count }, (_, index) => ({
      file: `sound-${index + 1}.wav`,
      bytes: soundBytes,
      sha256,
      name: `Sound ${index + 1}`,
    })),
  };
}

/** Writes `count` such files into a new folder. */
export async function writeBigWavs(folder: string, count: number, soundBytes: number) {
  await mkdir(folder);
  for (let index = 1; index <= count; index += 1) {
    await writeFile(join(folder, `sound-${index}.wav`), bigWav(soundBytes));
  }
}

/** Writes so many packages of the same sounds into a new folder. */
export async function writeLibrary(
  root: string,
  { packages, sounds, bytes }: Readonly<Record<"packages" | "sounds" | "bytes", number>>,
): Promise<void> {
  await mkdir(root);
  const manifest = JSON.stringify(bigManifest(sounds, bytes));
  for (let index = 1; index <= packages; index += 1) {
    const folder = join(root, `package-${index}`);
    await writeBigWavs(folder, sounds, bytes);
    await writeFile(join(folder, "manifest.json"), manifest);
  }
}
