import { openAsBlob } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { beatsOf, previewLayout, readHeader } from "../../client/layout.ts";
import type { PackageDraft, SoundDraft } from "../../client/send/package-draft.ts";
import { readPackageFolder } from "../../cli/layout/read-package-folder.ts";
import type { Manifest, Sound } from "../../core/manifest/manifest.ts";
import { smallWav } from "../wav-bytes.ts";

/** A manifest as stored in a fixture's folder. */
interface RawManifest extends Partial<Omit<Manifest, "items">> {
  readonly items: readonly (Partial<Sound> & Pick<Sound, "file">)[];
}

const FIXTURES = join(import.meta.dirname, "..", "..", "fixtures", "packages");

/** Silence of this many seconds. */
const wavOf = (seconds: number) => smallWav({ frames: Math.round(seconds * 44_100) });

describe("the beats of a loop", () => {
  test("[W10] match those that the importer plans", async () => {
    expect(await beatsOf(wavOf(2), 120)).toBe(4);
    expect(await beatsOf(wavOf(2.04), 120)).toBe(4);
    expect(await beatsOf(new Blob([new Uint8Array(wavOf(2.1))]), 120)).toBeCloseTo(4.2, 10);
  });

  test("[W10] are refused with the relay's sentence for a file that is not a WAV", async () => {
    await expect(beatsOf(new Uint8Array(100), 120)).rejects.toMatchObject({
      name: "ClientError",
      code: "WAV_NOT_RIFF",
    });
  });
});

test("[W10] fail with an error that names the file", async () => {
  expect(await readHeader(wavOf(1))).toMatchObject({ frames: 44_100, sampleRateHz: 44_100 });
  await expect(readHeader(new Blob(["OggS"]), "kick.wav")).rejects.toThrow(/^kick\.wav: /);
});

/** A fixture's package as an app would have drafted it. */
async function draftOf(fixture: string): Promise<PackageDraft> {
  const folder = join(FIXTURES, fixture);
  const manifest: RawManifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"));
  const sounds = manifest.items.map(async (item): Promise<SoundDraft> => ({
    source: await openAsBlob(join(folder, item.file)),
    file: item.file,
    id: item.id,
    name: item.name,
    kind: item.kind,
    role: item.role,
    bpm: item.bpm,
    lengthBeats: item.length_beats,
    warpMode: item.warp_mode,
    color: item.color,
    gainDb: item.gain_db,
  }));
  return {
    title: manifest.title,
    app: manifest.source?.app,
    bpm: manifest.tempo?.bpm,
    sounds: await Promise.all(sounds),
  };
}

describe("the preview of a layout", () => {
  test.each([
    ..."bare-minimum, drum-loops-90-126-174, explicit-warp-and-colours, gains".split(", "),
    ..."half-beat-lengths, length-only, missing-tempo, names-in-eight-scripts".split(", "),
    "one-shot-kit",
  ])("[W10] is the layout that the importer plans: %s", async (fixture) => {
    const { packageId: _preview, ...preview } = await previewLayout(await draftOf(fixture));
    const { layout } = await readPackageFolder(join(FIXTURES, fixture));
    const { packageId: _folder, ...planned } = layout;
    // The client's drafts have no time signature.
    expect(preview).toEqual({ ...planned, session: { ...planned.session, timeSignature: null } });
    expect(preview.tracks.length).toBeGreaterThan(0);
  });

  test("[W10] keeps an unusable sound in its place, with the reason and the relay's warnings", async () => {
    const layout = await previewLayout(
      {
        sounds: [
          { source: new Uint8Array(9), file: "broken.wav" },
          { source: wavOf(2), name: "Beat", kind: "loop", bpm: 1 },
        ],
      },
      "Looper",
    );
    expect(layout).toMatchObject({
      scene: { name: "Untitled (Looper)" },
      tracks: [
        { soundId: "1", error: expect.stringMatching(/^broken\.wav: /) },
        { soundId: "2", trackName: "Beat (Looper)", tempoBpm: null },
      ],
      warnings: [{ sound: "2", field: "bpm" }],
    });
  });

  test("[W10] is refused with the relay's sentence when there are no sounds", async () => {
    await expect(previewLayout({ sounds: [] })).rejects.toMatchObject({
      name: "ClientError",
      code: "ITEMS_MISSING",
    });
  });
});
