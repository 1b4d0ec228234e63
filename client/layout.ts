import type { Layout } from "../core/layout/layout.ts";
import { planLayout } from "../core/layout/plan-layout.ts";
import { planTempoAndLength } from "../core/layout/tempo-and-length.ts";
import { parseLocalManifest } from "../core/manifest/parse-manifest.ts";
import type { JsonObject } from "../core/text/json-object.ts";
import { readWavHeaderAt } from "../core/audio/read-wav-header-at.ts";
import type { WavHeader } from "../core/audio/wav-header.ts";
import { ClientError } from "./wire/client-error.ts";
import { withClientErrors } from "./wire/with-client-errors.ts";
import { describePackage } from "./send/describe-package.ts";
import type { PackageDraft, SoundSource } from "./send/package-draft.ts";
import { blobOf, readerOf } from "./send/sound-bytes.ts";

// The second entry, `@soundferry/client/layout`: what a package will become, before it is sent.

export type { Layout, PlannedSound, TrackPlan, UnusableSound } from "../core/layout/layout.ts";
export type { WavHeader } from "../core/audio/wav-header.ts";

/**
 * Reads a sound's header as the relay will (rule U4).
 * @param fileName used in the error's sentence
 * @throws {ClientError} the relay's `WAV_…` refusal, or `SOUND_UNREADABLE`
 */
export async function readHeader(source: SoundSource, fileName = "The file"): Promise<WavHeader> {
  const blob = blobOf(source, fileName);
  return withClientErrors(() => readWavHeaderAt(readerOf(blob), blob.size, fileName));
}

/**
 * Returns a loop's length in beats at a tempo, as the importer will set it: a length within a tenth of a beat of a
 * whole number is that number (rule T2).
 * @param bpm 20 to 999
 * @throws {ClientError} as `readHeader` does
 */
export async function beatsOf(source: SoundSource, bpm: number): Promise<number> {
  const header = await readHeader(source);
  // A given tempo always yields a length.
  return planTempoAndLength({ bpm }, undefined, header).loopEndBeats ?? 0;
}

/**
 * Previews a draft: scene, tracks and every setting, with the relay's warnings. An unusable sound keeps its
 * place and has an `error`. The importer chooses colors that the draft omits: their `colorIndex` is null.
 * @param appName for a draft that names no app
 * @throws {ClientError} what the relay refuses regardless of the sounds: none of them, or more than 32
 */
export async function previewLayout(
  draft: PackageDraft,
  appName?: string,
): Promise<Layout<number | null>> {
  const { head, sounds } = describePackage(draft, appName);
  const items = sounds.map(({ item }) => item);
  const { manifest, warnings, problems } = await withClientErrors(async () =>
    parseLocalManifest(asJson({ ...head, items }), { packageId: "preview" }),
  );
  const headers = await Promise.all(
    manifest.items.map(async ({ id }, index): Promise<[string, WavHeader | { error: string }]> => {
      const problem = problems.get(id);
      const sound = sounds[index];
      if (problem !== undefined || sound === undefined) return [id, { error: problem ?? "" }];
      return [id, await headerOrError(sound.blob, sound.file)];
    }),
  );
  return planLayout({ manifest, warnings, sounds: new Map(headers), colorTurn: null });
}

/** Returns the manifest as the relay will read it: JSON has no `NaN`, for example. */
function asJson(manifest: JsonObject): unknown {
  return JSON.parse(JSON.stringify(manifest));
}

async function headerOrError(sound: Blob, file: string): Promise<WavHeader | { error: string }> {
  try {
    return await readHeader(sound, file);
  } catch (error) {
    if (error instanceof ClientError) return { error: error.message };
    throw error;
  }
}
