import type { Layout } from "../core/layout/layout.ts";
import { planLayout } from "../core/layout/plan-layout.ts";
import { planTempoAndLength } from "../core/layout/tempo-and-length.ts";
import { parseLocalManifest } from "../core/manifest/parse-manifest.ts";
import { Refusal } from "../core/protocol/refusal.ts";
import { readWavHeaderAt } from "../core/wav/read-wav-header-at.ts";
import type { WavHeader } from "../core/wav/wav-header.ts";
import { ClientError } from "./client-error.ts";
import { describePackage } from "./describe-package.ts";
import type { PackageDraft, SoundSource } from "./package-draft.ts";
import { blobOf, readPiece } from "./sound-bytes.ts";

// The second entry, `@soundferry/client/layout`: what a package will become, before it is sent.

export type { Layout, PlannedSound, TrackPlan, UnusableSound } from "../core/layout/layout.ts";
export type { WavHeader } from "../core/wav/wav-header.ts";

/**
 * Reads a sound's header, as the relay will (rule U4).
 * @param fileName named by the sentence of the error
 * @throws {ClientError} the `WAV_…` that the relay would refuse it with, or `SOUND_UNREADABLE`
 */
export async function readHeader(source: SoundSource, fileName = "The file"): Promise<WavHeader> {
  const blob = blobOf(source, fileName);
  return toldByClient(() =>
    readWavHeaderAt((offset, length) => readPiece(blob, offset, length), blob.size, fileName),
  );
}

/**
 * How many beats a loop has at a tempo, as the importer will see it: a tenth of a beat beside a whole
 * one is that whole one (rule T2).
 * @param bpm 20 to 999
 * @throws {ClientError} as `readHeader` does
 */
export async function beatsOf(source: SoundSource, bpm: number): Promise<number> {
  const header = await readHeader(source);
  // A tempo that is given always gives a length.
  return planTempoAndLength({ bpm }, undefined, header).loopEndBeats ?? 0;
}

/**
 * What a draft will become: scene, tracks and every setting, with the warnings that the relay will
 * give. A sound that can't be used stays in its place with an `error`. Colours that the draft leaves
 * out are the importer's to choose; here they are the first of its rotation.
 * @param appName of a draft that names no app
 * @throws {ClientError} what the relay would refuse whatever the sounds: none, or more than 32
 */
export async function previewLayout(draft: PackageDraft, appName?: string): Promise<Layout> {
  const { head, sounds } = describePackage(draft, appName);
  const items = sounds.map(({ item }) => item);
  const { manifest, warnings, problems } = await toldByClient(async () =>
    parseLocalManifest({ ...head, items }, { packageId: "preview" }),
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

async function headerOrError(sound: Blob, file: string): Promise<WavHeader | { error: string }> {
  try {
    return await readHeader(sound, file);
  } catch (error) {
    if (error instanceof ClientError) return { error: error.message };
    throw error;
  }
}

/** The relay's refusals as this client's errors. */
async function toldByClient<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new ClientError(error.message, { code: error.code, cause: error });
  }
}
