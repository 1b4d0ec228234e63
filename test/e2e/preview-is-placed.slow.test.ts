import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { PreviewState } from "../../addon/hosts/preview/preview-session.ts";
import { previewLayout } from "../../client/layout.ts";
import type { PackageDraft, SoundDraft } from "../../client/send/package-draft.ts";
import { SoundferryClient } from "../../client/soundferry-client.ts";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import type { Layout } from "../../core/layout/layout.ts";
import { WARP_MODE_KEYS } from "../../core/manifest/manifest.ts";
import { importerAtWork } from "../addon/importer-at-work.ts";
import { anyText } from "../core/text/any-text.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { smallWav } from "../wav-bytes.ts";
import { WHOLE_FORMS } from "../whole-forms.ts";

const PACKAGES = WHOLE_FORMS ? 300 : 25;
const APP = { name: "Looper", id: "looper-1" };

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
/** Numbers that no JSON has, and those that the relay repairs. */
const odd = fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -0, -1, 1e9);
const tempo = fc.oneof(
  odd,
  fc.constantFrom(20, 90, 120, 127.5, 174, 999),
  fc.double({ min: 20, max: 999, noNaN: true }),
);
const length = fc.oneof(
  odd,
  fc.constantFrom(1, 4, 7.5, 16, 4096),
  fc.double({ min: 0.01, max: 4096, noNaN: true }),
);
const color = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
  .map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`);

const wav = fc.record({
  frames: fc.integer({ min: 1, max: 60_000 }),
  channels: fc.constantFrom(1, 2),
  sampleRateHz: fc.constantFrom(22_050, 44_100, 48_000, 96_000),
  bits: fc.constantFrom(16, 24),
});

/** Every field that a draft can have, also where the manifest's repairs are needed. */
const fields: fc.Arbitrary<Omit<SoundDraft, "source">> = fc.record({
  id: maybe(fc.constantFrom("1", "2", "kick", "__proto__")),
  name: maybe(anyText),
  kind: maybe(fc.constantFrom("loop", "oneshot")),
  role: maybe(fc.constantFrom("drums", "bass", "vocal", "fx")),
  bpm: maybe(tempo),
  lengthBeats: maybe(length),
  warpMode: maybe(fc.constantFrom(...WARP_MODE_KEYS)),
  color: maybe(color),
  gainDb: maybe(fc.oneof(odd, fc.double({ min: -70, max: 24, noNaN: true }))),
});

/** A draft without the bytes, so that a failure can be read. */
const outline = fc.record({
  title: maybe(anyText),
  app: maybe(anyText),
  bpm: maybe(tempo),
  sounds: fc.array(fc.record({ wav, fields }), { minLength: 1, maxLength: 3 }),
});
type Outline = typeof outline extends fc.Arbitrary<infer Value> ? Value : never;

const draftOf = ({ sounds, ...head }: Outline): PackageDraft => ({
  ...head,
  sounds: sounds.map(({ wav: shape, fields: described }) => ({
    ...described,
    source: new Uint8Array(smallWav(shape)),
  })),
});

/** A scene of the session in the shape of a layout, from left to right. */
function placedIn(session: PreviewState, packageId: string) {
  const scene = session.scenes.find(({ package_id: id }) => id === packageId);
  const tracks = session.tracks.filter(({ package_id: id }) => id === packageId);
  return {
    scene: scene?.name,
    tracks: tracks.map(({ name, sound_id: soundId, clip_slots: slots }) => {
      const clip = slots[scene?.id ?? -1];
      return {
        soundId,
        trackName: name,
        clipName: clip?.name,
        warping: clip?.warping,
        warpMode: clip?.warp_mode,
        looping: clip?.looping,
        loopEndBeats: clip?.loop_beats,
        tempoBpm: clip?.tempo_bpm,
        colorIndex: clip?.color_index,
        gainDb: clip?.gain_db,
      };
    }),
  };
}

/** Returns the preview of the same package. The importer chooses the automatic colors (rule T4). */
function previewed({ scene, tracks }: Layout<number | null>) {
  return {
    scene: scene.name,
    tracks: tracks.map((track) => {
      if ("error" in track) throw new Error(`${track.clipName}: ${track.error}`);
      const { kind: _kind, notes: _notes, ...settings } = track;
      return { ...settings, colorIndex: track.colorIndex ?? expect.any(Number) };
    }),
  };
}

test(`[W10] ${PACKAGES} random packages are placed as they were previewed`, async () => {
  const relay = await RunningRelay.start({
    SOUNDFERRY_PACKAGES_PER_HOUR: "1000",
    SOUNDFERRY_CALLS_PER_MINUTE: "100000",
  });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  const { importer, session } = await importerAtWork(relay.url);
  await importer.start();
  const client = new SoundferryClient({
    relayUrl: relay.url,
    tokenStore: new MemoryTokenStore(),
    app: APP,
  });
  await client.pair((await importer.pairingCode()).code, APP);

  const isPlacedAsPreviewed = fc.asyncProperty(outline, async (outlined) => {
    const drafted = draftOf(outlined);
    const preview = await previewLayout(drafted, APP.name);
    const { packageId, warnings } = await client.send(drafted);
    const report = await importer.import(packageId);
    expect(report.status).toBe("imported");
    expect(placedIn(await session(), packageId)).toEqual(previewed(preview));
    expect(warnings).toEqual(preview.warnings);
  });
  await fc.assert(isPlacedAsPreviewed, { numRuns: PACKAGES, endOnFailure: true });
});
