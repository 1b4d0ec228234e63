import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { formatRecordings, type SaidOfLoose } from "../../cli/commands/send/read-loose-sounds.ts";
import { readOutgoing } from "../../cli/commands/send/read-outgoing.ts";
import type { OutgoingPackage } from "../../client/send/package-draft.ts";
import { readHeader } from "../../client/layout.ts";
import type { WavHeader } from "../../core/audio/wav-header.ts";
import { planLayout } from "../../core/layout/plan-layout.ts";
import { usableTracks } from "../../core/layout/usable-tracks.ts";
import { straightMarkers } from "../../core/layout/warp-markers.ts";
import { parseLocalManifest } from "../../core/manifest/parse-manifest.ts";
import { isJsonObject } from "../../core/text/json-object.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { smallWav } from "../wav-bytes.ts";
import { makeMachine } from "./run-soundferry.ts";

const RATE_HZ = 8000;
const SECONDS = 180;
const STEMS = ["Drums", "Bass", "Lead Vocals", "Backing Vocals", "Guitar", "Synth", "FX"];

/** Writes seven silent stems of 180 s, the second of which ends one buffer later. */
async function writeStems(folder: string, title: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [index, stem] of STEMS.entries()) {
    const frames = SECONDS * RATE_HZ + (index === 1 ? 4096 : 0);
    const wav = smallWav({ frames, sampleRateHz: RATE_HZ, bits: 8, fill: 128 });
    await writeFile(join(folder, `${title} (${stem}).wav`), wav);
  }
}

/** Reads a folder as `soundferry send` does, into the one package that it is. */
async function read(folder: string, said?: SaidOfLoose) {
  const { packages, ...known } = await readOutgoing([folder], "Looper", said);
  const [only] = packages;
  if (only === undefined || packages.length > 1) throw new Error("This is not one package.");
  return { ...(await only.prepare()), ...known };
}

/** Plans what an importer makes of a package. */
async function layoutOf({ manifest, sounds }: OutgoingPackage) {
  const parsed = parseLocalManifest(JSON.parse(JSON.stringify(manifest)), { packageId: "p" });
  const headers = new Map<string, WavHeader>();
  for (const { id, file } of parsed.manifest.items) {
    headers.set(id, await readHeader(sounds.get(file) ?? new Blob([])));
  }
  const layout = planLayout({
    manifest: parsed.manifest,
    warnings: parsed.warnings,
    sounds: headers,
    colorTurn: 0,
  });
  return usableTracks(layout);
}

function itemsOf({ manifest }: OutgoingPackage): readonly object[] {
  const items: unknown = manifest["items"];
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}

describe("[Y8] seven stems of 180 s that are sent as a folder", () => {
  test("get one tempo and length, so that all clips have the same two markers", async () => {
    const folder = join(await temporaryFolder(), "For Mara 97 BPM");
    await writeStems(folder, "Neon Rain");
    const outgoing = await read(folder);
    expect(outgoing.manifest).toMatchObject({ title: "Neon Rain" });
    expect(itemsOf(outgoing)).toMatchObject(
      STEMS.toSorted().map((name) => ({ name, kind: "loop", bpm: 97, length_beats: 291 })),
    );
    expect(formatRecordings(outgoing.recordings)).toEqual([
      "7 stems of Neon Rain, 180 s: in time at 97 BPM",
    ]);
    const tracks = await layoutOf(outgoing);
    expect(tracks.length).toBe(7);
    for (const { tempoBpm, loopEndBeats, notes } of tracks) {
      const markers = straightMarkers({ tempoBpm: tempoBpm ?? 0, endBeats: loopEndBeats ?? 0 });
      expect(markers).toEqual([
        { seconds: 0, beats: 0 },
        { seconds: 180, beats: 291 },
      ]);
      expect(notes).toEqual([]);
    }
  });

  test("are one-shots without a tempo, and --bpm is the one answer for all", async () => {
    const folder = join(await temporaryFolder(), "For Mara");
    await writeStems(folder, "Neon Rain");
    const recorded = await read(folder);
    expect(recorded.undecided).toEqual([]);
    expect(itemsOf(recorded).map((item) => ("bpm" in item ? "in time" : "as recorded"))).toEqual(
      STEMS.map(() => "as recorded"),
    );
    expect((await layoutOf(recorded)).map(({ warping, looping }) => warping || looping)).toEqual(
      STEMS.map(() => false),
    );
    expect(formatRecordings(recorded.recordings)).toEqual([
      "7 stems of Neon Rain, 180 s: as recorded. Add --bpm to send them in time.",
    ]);
    const answered = await read(folder, { bpm: 96.5 });
    expect(itemsOf(answered)).toMatchObject(
      STEMS.map(() => ({ kind: "loop", bpm: 96.5, length_beats: 289.5 })),
    );
  });
});

test("[K2][K5][Y8] guess shows a recording above its files, and in each of their rows", async () => {
  await using machine = await makeMachine();
  const folder = join(machine.home, "Songs");
  await writeStems(folder, "Neon Rain");
  await writeFile(join(folder, "Neon Rain kick.wav"), smallWav({ frames: 9000 }));
  const text = await machine.runInside(["guess", folder]);
  const lines = text.stdout.trimEnd().split("\n").slice(2);
  const line = "7 stems of Neon Rain, 180 s: as recorded. send --bpm sends them in time.";
  expect(lines.map((row) => (row === line ? row : row.split("/").at(-1)?.slice(0, 15)))).toEqual([
    line,
    ...STEMS.toSorted().map((stem) => `Neon Rain (${stem}).wav`.slice(0, 15)),
    "Neon Rain kick.",
  ]);
  const { stdout } = await machine.runInside(["guess", folder, "--json"]);
  const rows: { readonly title: string; readonly recording?: object }[] = JSON.parse(stdout);
  const recording = { title: "Neon Rain", stems: 7, seconds: 180, bpm: null };
  expect(rows.map((row) => [row.title, row.recording])).toEqual([
    ...STEMS.toSorted().map((stem) => [stem, recording]),
    ["Neon Rain Kick", undefined],
  ]);
});
