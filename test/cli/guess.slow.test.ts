import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PreviewState } from "../../addon/hosts/preview/preview-session.ts";
import { smallWav } from "../wav-bytes.ts";
import { makeMachine } from "./run-soundferry.ts";

const RATE_HZ = 8000;
/** A silent file that lasts so many beats at a tempo. */
const beatsAt = (beats: number, bpm: number) =>
  smallWav({ frames: Math.round((beats * 60 * RATE_HZ) / bpm), sampleRateHz: RATE_HZ });

/** The files that a producer drops: five loops and five one-shots, and their answers. */
const PACK = [
  { file: "Amen Loop 130 BPM Cmin.wav", wav: beatsAt(16, 130), name: "Amen Loop", bpm: 130 },
  { file: "DnB_Break_170.wav", wav: beatsAt(16, 170), name: "DnB Break", bpm: 170 },
  { file: "120_Am_Pad.wav", wav: beatsAt(16, 120), name: "Pad", bpm: 120 },
  { file: "steppers-174.wav", wav: beatsAt(8, 174), name: "Steppers", bpm: 174 },
  { file: "House Bassline F#m.wav", wav: beatsAt(16, 124), name: "House Bassline", bpm: 124 },
  { file: "KSHMR_Kick_03.wav", wav: beatsAt(1, 120), name: "KSHMR Kick 03", bpm: null },
  { file: "TR-808 Kick.wav", wav: smallWav({ frames: 9000 }), name: "TR-808 Kick", bpm: null },
  { file: "snare 2.wav", wav: smallWav({ frames: 12_000 }), name: "Snare 2", bpm: null },
  { file: "snare 10.wav", wav: smallWav({ frames: 12_000 }), name: "Snare 10", bpm: null },
  { file: "Riser_128_Gm.wav", wav: beatsAt(32, 128), name: "Riser 128", bpm: null },
] as const;

async function writePack(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { file, wav } of PACK) await writeFile(join(folder, file), wav);
}

test("[K2][K5] guess prints each file's guess, in the order given", async () => {
  await using machine = await makeMachine();
  const folder = join(machine.home, "Kitchen Kit");
  await writePack(folder);
  await mkdir(join(folder, "One Shots"));
  await writeFile(join(folder, "One Shots", "Glass.wav"), smallWav({ frames: 88_200 }));
  const first = join(folder, "steppers-174.wav");
  const { stdout, stderr, status } = await machine.runInside(["guess", first, folder, "--json"]);
  expect([stderr, status]).toEqual(["", 0]);
  const guesses: Record<string, unknown>[] = JSON.parse(stdout);
  expect(Object.keys(guesses[0] ?? {})).toEqual(
    "file title name kind role bpm length_beats key confidence because".split(" "),
  );
  expect(guesses.map(({ file }) => file)).toEqual(
    [
      "steppers-174.wav",
      "120_Am_Pad.wav",
      "Amen Loop 130 BPM Cmin.wav",
      "DnB_Break_170.wav",
      "House Bassline F#m.wav",
      "KSHMR_Kick_03.wav",
      "One Shots/Glass.wav",
      "Riser_128_Gm.wav",
      "snare 2.wav",
      "snare 10.wav",
      "steppers-174.wav",
      "TR-808 Kick.wav",
    ].map((name) => join(folder, name)),
  );
  expect(guesses[2]).toMatchObject({ kind: "loop", bpm: 130, length_beats: 16, key: "C minor" });
  expect(guesses.at(-2)).toMatchObject({ title: "Steppers", name: "Steppers 2" });
  const glass = guesses.find(({ title }) => title === "Glass");
  expect(glass).toMatchObject({ kind: "oneshot", because: "Its folder says one-shot." });
});

test("[K1][K2] a file that is no WAV doesn't keep guess from the others, and it exits 1", async () => {
  await using machine = await makeMachine();
  await writeFile(join(machine.home, "a.wav"), "x");
  await writeFile(join(machine.home, "Kick.wav"), smallWav());
  const json = await machine.runInside(["guess", machine.home, "--json"]);
  expect(JSON.parse(json.stdout)).toEqual([
    { file: join(machine.home, "a.wav"), error: expect.stringMatching(/^a\.wav: not a WAV/) },
    expect.objectContaining({ title: "Kick", kind: "oneshot" }),
  ]);
  expect(json.status).toBe(1);
  const table = await machine.runInside(["guess", join(machine.home, "Kick.wav")]);
  expect(table.stdout).toMatch(/ Kick +one-shot +drums /);
  expect(table.status).toBe(0);
});

test("[K2][Y3][Y6] send takes the guesses, sends no key, and says what is undecided", async () => {
  await using machine = await makeMachine();
  const up = machine.start(["up", "--auto-import", "--code", "K7MQ2X", "--json"]);
  await up.until(({ stdout }) => stdout.endsWith("\n"));
  const { relay_url: relay, preview_session: session } = JSON.parse(up.stdout);
  const folder = join(machine.home, "kitchen_kit");
  await writePack(folder);
  const to = ["--relay", relay, "--code", "K7MQ2X", "--json"];
  const sent = await machine.runInside(["send", folder, ...to]);
  expect(JSON.parse(sent.stdout)).toMatchObject({
    title: "Kitchen Kit",
    status: "imported",
    warnings: [],
  });
  expect(sent.stderr).not.toContain("Undecided");
  const { tracks }: PreviewState = JSON.parse(await readFile(session, "utf8"));
  const clips = tracks.flatMap(({ clip_slots }) => Object.values(clip_slots));
  expect(
    new Map(clips.map(({ name, looping, tempo_bpm }) => [name, looping ? tempo_bpm : null])),
  ).toEqual(new Map(PACK.map(({ name, bpm }) => [name, bpm])));

  await writeFile(join(machine.home, "Glass.wav"), smallWav({ frames: 44_100 * 4 }));
  await writeFile(join(machine.home, "Guitar Loop.wav"), smallWav({ frames: 221_104 }));
  const files = [join(machine.home, "Glass.wav"), join(machine.home, "Guitar Loop.wav")];
  const asked = await machine.runInside(["send", ...files, ...to]);
  expect(asked.stderr).toContain(
    "Undecided: 1 sound sent as one-shots, because nothing says what they are.\n" +
      "  Glass.wav: Neither name nor length says whether it is a loop.",
  );
  expect(asked.stderr).toContain("--undecided loop");
  expect(asked.stderr).toContain("Undecided: 1 sound sent as loops without a tempo");
  expect(asked.stderr).toContain("  Guitar Loop.wav: “Loop” in the name says loop.");
  const decided = ["--undecided", "loop", "--bpm", "97"];
  const said = await machine.runInside(["send", ...files, ...to, ...decided]);
  expect(said.stderr).not.toContain("Undecided");
});
