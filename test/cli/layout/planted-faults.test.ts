import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CHECK, updateTask } from "../../../cli/commands/layout/library-tasks.ts";
import { findPackages } from "../../../cli/layout/find-packages.ts";
import { type LibraryTask, runLibrary } from "../../../cli/layout/run-library.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import {
  BASS,
  digestOf,
  KICK,
  type PlantedPackage,
  plantPackage,
  POINTER,
  SNARE,
  tone,
  wavOf,
} from "./planted-faults.ts";

async function acceptedPackage() {
  const root = await temporaryFolder();
  const folder = join(root, "kit");
  await mkdir(folder);
  const planted = await plantPackage(folder);
  const run = async (task: LibraryTask = CHECK) => {
    const { text, exitStatus, json } = await runLibrary(await findPackages([folder]), task);
    return { text: text.replaceAll(folder, "kit"), exitStatus, json };
  };
  expect((await run(updateTask())).exitStatus).toBe(0);
  expect((await run()).text).toBe("1 package, 3 sounds: 1 match.");
  return { planted, folder, run };
}

const [kick = []] = KICK.channels;
const [left = [], right = []] = SNARE.channels;
const scaled = (samples: readonly number[], by: number) => samples.map((sample) => sample * by);

type Fault = readonly [
  fault: string,
  says: string | readonly string[],
  plant: (planted: PlantedPackage) => Promise<void>,
];

/** The audio differs, and the manifest agrees with the file. */
const AUDIO: readonly Fault[] = [
  [
    "audio zeroed at the same size",
    "Kick Deep: the audio changed (same length, silent now).",
    (p) => p.put("kick.wav", wavOf({ ...KICK, channels: [scaled(kick, 0)] })),
  ],
  [
    "one sample changed",
    "Kick Deep: the audio changed (same length).",
    (p) => p.change("kick.wav", (bytes) => bytes.fill((bytes[5000] ?? 0) ^ 1, 5000, 5001)),
  ],
  [
    "resampled",
    "Kick Deep: the audio changed (same length, 44100 → 48000 Hz).",
    (p) =>
      p.put(
        "kick.wav",
        wavOf({
          ...KICK,
          format: { ...KICK.format, sampleRateHz: 48_000 },
          channels: [tone(48_000, 0.01)],
        }),
      ),
  ],
  [
    "24 to 16 bit",
    "Kick Deep: the audio changed (same length, 24 → 16 bit).",
    (p) => p.put("kick.wav", wavOf({ ...KICK, format: { ...KICK.format, bitsPerSample: 16 } })),
  ],
  [
    "24 bit to float",
    "Kick Deep: the audio changed (same length, 24 bit → 32-bit float).",
    (p) =>
      p.put(
        "kick.wav",
        wavOf({ ...KICK, format: { ...KICK.format, encoding: "float", bitsPerSample: 32 } }),
      ),
  ],
  [
    "stereo to mono",
    "Snare Fat: the audio changed (same length, stereo → mono).",
    (p) =>
      p.put(
        "snare.wav",
        wavOf({ ...SNARE, format: { ...SNARE.format, channels: 1 }, channels: [left] }),
      ),
  ],
  [
    "channels swapped",
    "Snare Fat: the audio changed (same length).",
    (p) => p.put("snare.wav", wavOf({ ...SNARE, channels: [right, left] })),
  ],
  [
    "gain changed",
    "Snare Fat: the audio changed (same length).",
    (p) => p.put("snare.wav", wavOf({ ...SNARE, channels: [scaled(left, 0.9), right] })),
  ],
  [
    "polarity inverted",
    "Acid Bass: the audio changed (same length).",
    (p) =>
      p.put("bass.wav", wavOf({ ...BASS, channels: BASS.channels.map((one) => scaled(one, -1)) })),
  ],
  [
    "cut shorter",
    "Kick Deep: the audio changed (0.5 s shorter).",
    (p) => p.put("kick.wav", wavOf({ ...KICK, channels: [kick.slice(0, 22_050)] })),
  ],
  [
    "longer",
    "Kick Deep: the audio changed (0.5 s longer).",
    (p) =>
      p.put("kick.wav", wavOf({ ...KICK, channels: [kick.concat(scaled(kick, 0).slice(22_050))] })),
  ],
  [
    "one frame longer",
    "Kick Deep: the audio changed (1 frame longer).",
    (p) => p.put("kick.wav", wavOf({ ...KICK, channels: [kick.concat(0)] })),
  ],
  [
    "only the header's sample rate",
    "Kick Deep: the header changed around the same audio (0.5 s shorter, 44100 → 88200 Hz).",
    (p) =>
      p.change("kick.wav", (bytes) => {
        bytes.writeUInt32LE(88_200, 24);
        return bytes;
      }),
  ],
  [
    "files swapped on disk",
    [
      "Kick Deep: the audio was swapped with that of Snare Fat.\n",
      "Snare Fat: the audio was swapped with that of Kick Deep.\n",
    ],
    async (p) => {
      const [one, other] = [await p.read("kick.wav"), await p.read("snare.wav")];
      await p.put("kick.wav", other);
      await p.put("snare.wav", one);
    },
  ],
  [
    "files swapped in the manifest",
    [
      "Kick Deep: the audio was swapped with that of Snare Fat.\n",
      "Snare Fat: the audio was swapped with that of Kick Deep.\n",
    ],
    async (p) => {
      const [one, other] = [await p.read("kick.wav"), await p.read("snare.wav")];
      await p.editSound("Kick Deep", { file: "snare.wav", ...digestOf(other) });
      await p.editSound("Snare Fat", { file: "kick.wav", ...digestOf(one) });
    },
  ],
  [
    "the file of another sound",
    "Snare Fat: the audio is the one that Kick Deep had.",
    async (p) => p.put("snare.wav", await p.read("kick.wav")),
  ],
  [
    "file renamed",
    "Kick Deep: kick.wav was renamed to deep.wav, with the same audio.",
    async (p) => {
      await rename(p.pathOf("kick.wav"), p.pathOf("deep.wav"));
      await p.editSound("Kick Deep", { file: "deep.wav" });
    },
  ],
  [
    "another file with other audio",
    [
      "Kick Deep: the file is deep.wav instead of kick.wav.",
      "Kick Deep: the audio changed (0.5 s shorter).",
    ],
    async (p) => {
      const bytes = wavOf({ ...KICK, channels: [kick.slice(22_050)] });
      await p.putOnly("deep.wav", bytes);
      await p.editSound("Kick Deep", { file: "deep.wav", ...digestOf(bytes) });
    },
  ],
];

/** The manifest differs. */
const MANIFEST: readonly Fault[] = [
  [
    "name changed",
    "Boom  Clip name   “Kick Deep” → “Boom”",
    (p) => p.editSound("Kick Deep", { name: "Boom" }),
  ],
  [
    "title changed",
    "Scene name  “Neon Kit (App)” → “Other (App)”",
    (p) => p.edit((manifest) => ({ ...manifest, title: "Other" })),
  ],
  [
    "role of a one-shot changed",
    "Snare Fat  Role  Drums → FX",
    (p) => p.editSound("Snare Fat", { role: "fx" }),
  ],
  [
    "role of a loop changed",
    ["Acid Bass  Warp mode  Tones → Complex Pro", "Acid Bass  Role       Bass → Vocal"],
    (p) => p.editSound("Acid Bass", { role: "vocal" }),
  ],
  [
    "tempo of the package changed",
    ["–             Tempo  120 BPM → 126 BPM", "Acid Bass  Tempo  120 BPM → 126 BPM"],
    (p) => p.edit((manifest) => ({ ...manifest, tempo: { bpm: 126 } })),
  ],
  [
    "time signature changed",
    "Time signature  none → 3/4",
    (p) => p.edit((manifest) => ({ ...manifest, tempo: { bpm: 120, time_signature: [3, 4] } })),
  ],
  [
    "length of a loop changed",
    "Acid Bass  Loop length  2 beats → 4 beats",
    (p) => p.editSound("Acid Bass", { length_beats: 4 }),
  ],
  [
    "kind changed",
    "Snare Fat  Kind         one-shot → loop",
    (p) => p.editSound("Snare Fat", { kind: "loop" }),
  ],
  [
    "order changed",
    "Order  Kick Deep, Snare Fat → Snare Fat, Kick Deep",
    (p) =>
      p.edit((manifest) => {
        const [one = {}, other = {}, ...rest] = manifest.items;
        return { ...manifest, items: [other, one, ...rest] };
      }),
  ],
  [
    "color changed",
    "Kick Deep  Color  #AF3333 → #5480E4",
    (p) => p.editSound("Kick Deep", { color: "#3C6EFF" }),
  ],
  [
    "gain in the manifest changed",
    "Kick Deep  Gain  0 dB → −6 dB",
    (p) => p.editSound("Kick Deep", { gain_db: -6 }),
  ],
  [
    "a sound added in front",
    "Tick  Sound  missing → “Tick”",
    async (p) => {
      const bytes = wavOf({ ...KICK, channels: [tone(1000, 0.5)] });
      await p.putOnly("tick.wav", bytes);
      const tick = { file: "tick.wav", name: "Tick", kind: "oneshot", ...digestOf(bytes) };
      await p.edit((manifest) => ({ ...manifest, items: [tick, ...manifest.items] }));
    },
  ],
  [
    "the first sound removed",
    "Kick Deep  Sound  “Kick Deep” → missing",
    (p) => p.edit((manifest) => ({ ...manifest, items: manifest.items.slice(1) })),
  ],
];

/** What is never accepted (rule B7), or only with `--allow-missing`. */
const FILES: readonly Fault[] = [
  [
    "missing file",
    "Kick Deep: kick.wav is not in the package's folder.",
    (p) => rm(p.pathOf("kick.wav")),
  ],
  [
    "audio cut off behind its header",
    "Kick Deep: kick.wav: the file is incomplete. Export it again.",
    (p) => p.change("kick.wav", (bytes) => bytes.subarray(0, 60_000)),
  ],
  [
    "no WAV",
    "Kick Deep: kick.wav: not a WAV file. Export it as WAV.",
    (p) => p.put("kick.wav", Buffer.alloc(1000, "letter ")),
  ],
  [
    "empty file",
    'Sound 1 "Kick Deep": bytes must be 1 to 209715200.',
    (p) => p.put("kick.wav", Buffer.alloc(0)),
  ],
];

/** What nobody can accept. */
const NEVER: readonly Fault[] = [
  [
    "Git LFS pointer",
    "Kick Deep: kick.wav is a Git LFS pointer: run git lfs pull.",
    (p) => p.putOnly("kick.wav", POINTER),
  ],
  [
    "Git LFS pointer that the manifest agrees with",
    "Kick Deep: kick.wav is a Git LFS pointer: run git lfs pull.",
    (p) => p.put("kick.wav", POINTER),
  ],
  [
    "iCloud placeholder",
    "Kick Deep: kick.wav is still in iCloud: download it",
    async (p) => {
      await rm(p.pathOf("kick.wav"));
      await writeFile(p.pathOf(".kick.wav.icloud"), "bplist00");
    },
  ],
  [
    "wrong bytes in the manifest",
    "Kick Deep: manifest.json says 12 bytes, but kick.wav has 132376.",
    (p) => p.editSound("Kick Deep", { bytes: 12 }),
  ],
  [
    "wrong SHA-256 in the manifest",
    "Kick Deep: manifest.json says another SHA-256 than kick.wav has.",
    (p) => p.editSound("Kick Deep", { sha256: "0".repeat(64) }),
  ],
  [
    "both wrong, of another sound that was put in its place",
    [
      "Kick Deep: manifest.json says 132376 bytes, but kick.wav has 88244.",
      "Kick Deep: manifest.json says another SHA-256 than kick.wav has.",
      "Kick Deep: the audio is the one that Snare Fat had.",
    ],
    async (p) => p.putOnly("kick.wav", await p.read("snare.wav")),
  ],
  [
    "audio zeroed behind the manifest's back",
    [
      "Kick Deep: manifest.json says another SHA-256 than kick.wav has.",
      "Kick Deep: the audio changed (same length, silent now).",
    ],
    (p) => p.putOnly("kick.wav", wavOf({ ...KICK, channels: [scaled(kick, 0)] })),
  ],
];

const listOf = (says: string | readonly string[]): readonly string[] => [says].flat();

describe.each([...AUDIO, ...MANIFEST])("a planted fault: %s", (_, says, plant) => {
  test("[B3][B6] is named, and gone once it is accepted", async () => {
    const { planted, run } = await acceptedPackage();
    await plant(planted);
    const { text, exitStatus } = await run();
    for (const one of listOf(says)) expect(text).toContain(one);
    expect(text).toContain("Review the differences; --update accepts them.");
    expect(exitStatus).toBe(1);
    expect((await run(updateTask())).exitStatus).toBe(0);
    expect(await run()).toMatchObject({ exitStatus: 0, text: expect.stringContaining("1 match.") });
  });
});

describe.each(FILES)("a planted fault: %s", (_, says, plant) => {
  test("[B7] is named, and accepted only if that is allowed", async () => {
    const { planted, run } = await acceptedPackage();
    await plant(planted);
    const { text, exitStatus } = await run();
    for (const one of listOf(says)) expect(text).toContain(one);
    expect(text).not.toContain("--update");
    expect(exitStatus).toBe(1);
    const refused = await run(updateTask());
    expect(refused.exitStatus).toBe(1);
    expect(refused.text).toContain("kit: not accepted");
    for (const one of listOf(says)) expect(refused.text).toContain(one);
    expect((await run()).text).toBe(text);
    const allowed = await run(updateTask(true));
    expect(allowed.exitStatus).toBe(0);
    expect(allowed.text).toContain("kit: accepted with missing or broken files\n");
    for (const one of listOf(says)) expect(allowed.text).toContain(one);
    expect(await run()).toMatchObject({ exitStatus: 0, text: expect.stringContaining("1 match.") });
    expect((await run(updateTask())).exitStatus).toBe(0);
  });
});

describe.each(NEVER)("a planted fault: %s", (_, says, plant) => {
  test("[B7][B8] is named, and never accepted", async () => {
    const { planted, run } = await acceptedPackage();
    await plant(planted);
    const { text, exitStatus } = await run();
    for (const one of listOf(says)) expect(text).toContain(one);
    expect(text).not.toContain("--update");
    expect(exitStatus).toBe(1);
    for (const allowMissing of [false, true]) {
      const refused = await run(updateTask(allowMissing));
      expect(refused.exitStatus).toBe(1);
      expect(refused.text).toContain(listOf(says)[0]);
    }
    expect((await run()).text).toBe(text);
  });
});

test("[B6] a change around the audio is a hint, and passes", async () => {
  const { planted, run } = await acceptedPackage();
  await planted.put("kick.wav", wavOf({ ...KICK, acidBpm: 90 }));
  const { text, exitStatus } = await run();
  expect(text).toContain("Kick Deep: only notes in the file changed, such as tempo or loop points");
  expect(exitStatus).toBe(0);
  await run(updateTask());
  expect((await run()).text).toBe("1 package, 3 sounds: 1 match.");
});

describe("[B8] exit codes", () => {
  test("a mistyped path is wrong use, and the others are still judged", async () => {
    const { folder } = await acceptedPackage();
    const root = await temporaryFolder();
    await mkdir(join(root, "empty"));
    await writeFile(join(root, "file.wav"), "");
    for (const name of ["nothing", "empty", "file.wav"]) {
      const path = join(root, name);
      const { exitStatus, text, json } = await runLibrary(
        await findPackages([path, folder]),
        CHECK,
      );
      expect([name, exitStatus]).toEqual([name, 2]);
      expect(text).toContain("2 packages, 3 sounds: 1 match, 1 broken.");
      expect(json.packages).toMatchObject([
        { folder: path, code: "NO_PACKAGE" },
        { folder, same: true },
      ]);
    }
  });

  test("a manifest that isn't there yet fails its package only", async () => {
    const { folder } = await acceptedPackage();
    const root = await temporaryFolder();
    for (const name of ["lfs", "cloud"]) await mkdir(join(root, name));
    await writeFile(join(root, "lfs", "manifest.json"), POINTER);
    await writeFile(join(root, "cloud", ".manifest.json.icloud"), "bplist00");
    const { exitStatus, text } = await runLibrary(await findPackages([root, folder]), CHECK);
    expect(exitStatus).toBe(1);
    expect(text.split("\n")).toEqual([
      expect.stringMatching(/cloud: manifest\.json is still in iCloud: download it/),
      expect.stringMatching(/lfs: manifest\.json is a Git LFS pointer: run git lfs pull\.$/),
      "3 packages, 3 sounds: 1 match, 2 broken.",
    ]);
  });
});

test("[K5] programs get every error, difference and hint with its code", async () => {
  const { planted, folder, run } = await acceptedPackage();
  await planted.putOnly("kick.wav", POINTER);
  await planted.put("bass.wav", wavOf({ ...BASS, acidBpm: 120 }));
  await planted.put("snare.wav", wavOf({ ...SNARE, channels: [right, left] }));
  const { json } = await run();
  const placeOf = (line: number) => ({ file: join(folder, "manifest.json"), line, column: 15 });
  expect(json.packages).toEqual([
    {
      folder,
      same: false,
      status: "faulty",
      errors: [
        {
          sound: "1",
          code: "WAV_LFS_POINTER",
          error: "Kick Deep: kick.wav is a Git LFS pointer: run git lfs pull.",
          ...placeOf(12),
        },
      ],
      differences: [
        {
          sound: "1",
          setting: "error",
          now: "kick.wav is a Git LFS pointer: run git lfs pull.",
          accepted: undefined,
          ...placeOf(12),
        },
        {
          sound: "2",
          setting: "audio",
          accepted: expect.stringMatching(/^[0-9a-f]{64}$/),
          now: expect.stringMatching(/^[0-9a-f]{64}$/),
          ...placeOf(21),
        },
      ],
      hints: [{ code: "CHUNKS_CHANGED", sounds: ["3"], hint: expect.any(String) }],
    },
  ]);
});
