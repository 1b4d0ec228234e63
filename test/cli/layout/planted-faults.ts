import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { blockAlign, type WavFormat, wavHeaderBytes } from "../../../core/audio/wav-header.ts";
import type { JsonObject } from "../../../core/text/json-object.ts";
import { ascii, chunk } from "../../../fixtures/wav-bytes.ts";

/** A sound of a planted package: samples from -1 to 1 of each channel. */
interface Audio {
  readonly format: WavFormat;
  readonly channels: readonly (readonly number[])[];
  /** The tempo in its `acid` chunk; undefined without one. */
  readonly acidBpm?: number;
}

const MONO_24: WavFormat = {
  encoding: "pcm",
  channels: 1,
  sampleRateHz: 44_100,
  bitsPerSample: 24,
};

/** A decaying tone of so many frames. */
export function tone(frames: number, step: number): readonly number[] {
  return Array.from({ length: frames }, (_, at) => 0.5 * Math.sin(at * step) * (1 - at / frames));
}

export const KICK: Audio = { format: MONO_24, channels: [tone(44_100, 0.01)], acidBpm: 120 };
export const SNARE: Audio = {
  format: { ...MONO_24, channels: 2, bitsPerSample: 16 },
  channels: [tone(22_050, 0.2), tone(22_050, 0.3)],
};
/** Two beats at 120 BPM. */
export const BASS: Audio = {
  format: { ...MONO_24, bitsPerSample: 16 },
  channels: [tone(44_100, 0.05)],
};

/** The bytes of a WAV. */
export function wavOf({ format, channels, acidBpm }: Audio): Buffer {
  const frames = channels[0]?.length ?? 0;
  const sampleBytes = format.bitsPerSample / 8;
  const audio = Buffer.alloc(frames * blockAlign(format));
  for (let frame = 0; frame < frames; frame += 1) {
    for (const [index, samples] of channels.entries()) {
      const at = frame * blockAlign(format) + index * sampleBytes;
      const sample = samples[frame] ?? 0;
      if (format.encoding === "float") audio.writeFloatLE(sample, at);
      else
        audio.writeIntLE(
          Math.round(sample * (2 ** (format.bitsPerSample - 1) - 1)),
          at,
          sampleBytes,
        );
    }
  }
  const acid = Buffer.alloc(24);
  acid.writeFloatLE(acidBpm ?? 0, 20);
  const more = acidBpm === undefined ? Buffer.alloc(0) : chunk("acid", acid);
  const padding = Buffer.alloc(audio.length % 2);
  return Buffer.concat([wavHeaderBytes(format, frames, more.length), audio, padding, more]);
}

/** Git LFS's text in place of a file. */
export const POINTER = Buffer.from(
  ascii(`version https://git-lfs.github.com/spec/v1\noid sha256:${"ab".repeat(32)}\nsize 123456\n`),
);

/** A folder with a manifest, to change one thing after the other. */
export class PlantedPackage {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  pathOf(file: string): string {
    return join(this.folder, file);
  }

  /** Writes a file, and what the manifest says of it. */
  async put(file: string, bytes: Uint8Array): Promise<void> {
    await this.putOnly(file, bytes);
    await this.edit((manifest) => ({
      ...manifest,
      items: manifest.items.map((item) =>
        item["file"] === file ? { ...item, ...digestOf(bytes) } : item,
      ),
    }));
  }

  /** Writes a file; the manifest stays. */
  async putOnly(file: string, bytes: Uint8Array): Promise<void> {
    await writeFile(this.pathOf(file), bytes);
  }

  read(file: string): Promise<Buffer> {
    return readFile(this.pathOf(file));
  }

  /** Changes bytes of a file, and what the manifest says of it. */
  async change(file: string, work: (bytes: Buffer) => Uint8Array): Promise<void> {
    await this.put(file, work(await this.read(file)));
  }

  async edit(work: (manifest: ManifestText) => ManifestText): Promise<void> {
    const manifest: ManifestText = JSON.parse(await readFile(this.pathOf("manifest.json"), "utf8"));
    await writeFile(this.pathOf("manifest.json"), JSON.stringify(work(manifest), null, 2));
  }

  /** Changes one sound's entry in the manifest. */
  async editSound(name: string, change: JsonObject): Promise<void> {
    await this.edit((manifest) => ({
      ...manifest,
      items: manifest.items.map((item) => (item["name"] === name ? { ...item, ...change } : item)),
    }));
  }
}

export interface ManifestText extends JsonObject {
  readonly items: readonly JsonObject[];
}

/** The fields in which a manifest describes a file. */
export function digestOf(bytes: Uint8Array): { readonly bytes: number; readonly sha256: string } {
  return { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}

const WAVS = [
  ["kick.wav", wavOf(KICK)],
  ["snare.wav", wavOf(SNARE)],
  ["bass.wav", wavOf(BASS)],
] as const;

/** Writes a package of a kick, a snare and a bass loop. */
export async function plantPackage(folder: string): Promise<PlantedPackage> {
  const sounds = [
    { file: "kick.wav", name: "Kick Deep", kind: "oneshot", role: "drums", color: "#AF3333" },
    { file: "snare.wav", name: "Snare Fat", kind: "oneshot", role: "drums" },
    { file: "bass.wav", name: "Acid Bass", kind: "loop", role: "bass", length_beats: 2 },
  ];
  const manifest = {
    schema: "app2host/1",
    title: "Neon Kit",
    source: { app: "App" },
    tempo: { bpm: 120 },
    items: sounds,
  };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  const planted = new PlantedPackage(folder);
  for (const [file, bytes] of WAVS) await planted.put(file, bytes);
  return planted;
}

/** A fault, what a check says of it, and how it comes about. */
export type Fault = readonly [
  fault: string,
  says: string | readonly string[],
  plant: (planted: PlantedPackage) => Promise<void>,
];

/** Samples with a gain. */
export function scaled(samples: readonly number[], by: number): readonly number[] {
  return samples.map((sample) => sample * by);
}
