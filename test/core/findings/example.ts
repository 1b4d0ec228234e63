import { readSamples } from "../../../core/audio/read-samples.ts";
import { readWavHeaderAt } from "../../../core/audio/read-wav-header-at.ts";
import { SoundMeter } from "../../../core/audio/sound-meter.ts";
import { findAll, loopFramesOf } from "../../../core/findings/find-all.ts";
import type { Finding, FindingCode, HeardSound } from "../../../core/findings/finding.ts";
import { planLayout } from "../../../core/layout/plan-layout.ts";
import type { Manifest, Sound } from "../../../core/manifest/manifest.ts";
import type { Samples } from "../../../fixtures/synth/studio.ts";
import { encodeWav, type WavFormat } from "../../../fixtures/synth/wav-file.ts";

/** The rate of the examples, unless they say another. */
export const RATE_HZ = 22_050;

/** A sound of an example: its entry in the manifest, a loop by default, and its audio. */
export interface ExampleSound {
  readonly entry: Partial<Sound>;
  readonly channels: readonly Samples[];
  readonly format?: Partial<WavFormat>;
}

/** Packages that have a finding, each in at least one sound, and packages that don't. */
export interface Examples {
  readonly code: FindingCode;
  readonly right: Readonly<Record<string, ExamplePackage>>;
  readonly wrong: Readonly<Record<string, ExamplePackage>>;
}

export interface ExamplePackage {
  readonly sounds: readonly ExampleSound[];
  readonly tempo?: Manifest["tempo"];
}

/** Writes an example's sounds, reads them as the check does, and judges them. */
export async function findIn({ sounds, tempo }: ExamplePackage): Promise<readonly Finding[]> {
  const items = sounds.map(({ entry }, index): Sound => {
    const id = String(index + 1);
    return { id, file: `${id}.wav`, name: `Sound ${id}`, kind: "loop", ...entry };
  });
  const files = sounds.map(({ channels, format }) =>
    encodeWav(channels, { rateHz: RATE_HZ, ...format }),
  );
  const readers = files.map(
    (bytes) => async (offset: number, length: number) => bytes.subarray(offset, offset + length),
  );
  const headers = new Map(
    await Promise.all(
      items.map(async ({ id, file }, index) => {
        const readAt = readers[index] ?? expectReader();
        return [id, await readWavHeaderAt(readAt, files[index]?.length ?? 0, file)] as const;
      }),
    ),
  );
  const manifest: Manifest = {
    schema: "app2host/1",
    package_id: "pkg_example",
    title: "Example",
    source: { app: "App" },
    items,
    ...(tempo && { tempo }),
  };
  const layout = planLayout({ manifest, warnings: [], sounds: headers, colorTurn: null });
  const heard: HeardSound[] = [];
  for (const [index, sound] of items.entries()) {
    const [track, header] = [layout.tracks[index], headers.get(sound.id)];
    if (track === undefined || "error" in track || header === undefined) throw new Error("unread");
    const meter = new SoundMeter(header, loopFramesOf({ track, header }));
    for await (const piece of readSamples(readers[index] ?? expectReader(), header)) {
      meter.add(piece);
    }
    heard.push({ sound, track, header, measures: meter.finish() });
  }
  return findAll(heard, layout.session);
}

function expectReader(): never {
  throw new Error("A sound has no file.");
}

/** A package of one sound. */
export function one(
  channels: Samples | readonly Samples[],
  entry: Partial<Sound> = {},
  format: Partial<WavFormat> = {},
): ExamplePackage {
  const all = channels instanceof Float64Array ? [channels] : channels;
  return { sounds: [{ entry, channels: all, format }] };
}

/** A sine of a peak level. */
export function sine(hz: number, seconds: number, peak = 0.5, rateHz = RATE_HZ): Samples {
  const samples = new Float64Array(Math.round(seconds * rateHz));
  for (let at = 0; at < samples.length; at += 1) {
    samples[at] = peak * Math.sin((2 * Math.PI * hz * at) / rateHz);
  }
  return samples;
}

/** Decibels as an amplitude. */
export function amplitude(dbfs: number): number {
  return 10 ** (dbfs / 20);
}
