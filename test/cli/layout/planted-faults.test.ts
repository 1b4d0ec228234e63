import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHECK, updateTask } from "../../../cli/commands/layout/library-tasks.ts";
import { findPackages } from "../../../cli/layout/find-packages.ts";
import { type LibraryTask, runLibrary } from "../../../cli/layout/run-library.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { AUDIO_FAULTS } from "./audio-faults.ts";
import { FILE_FAULTS, LASTING_FAULTS } from "./file-faults.ts";
import { MANIFEST_FAULTS } from "./manifest-faults.ts";
import {
  BASS,
  KICK,
  PlantedPackage,
  plantPackage,
  POINTER,
  SNARE,
  wavOf,
} from "./planted-faults.ts";

/** Accepted once; each test changes a copy. */
let accepted: string;

function runOn(folder: string, task: LibraryTask = CHECK) {
  return findPackages([folder]).then((found) => runLibrary(found, task));
}

beforeAll(async () => {
  accepted = join(await mkdtemp(join(tmpdir(), "soundferry-test-")), "kit");
  await mkdir(accepted);
  await plantPackage(accepted);
  expect((await runOn(accepted, updateTask())).exitStatus).toBe(0);
  expect((await runOn(accepted)).text).toBe("1 package, 3 sounds: 1 match.");
});

afterAll(() => rm(dirname(accepted), { recursive: true, force: true }));

async function acceptedPackage() {
  const folder = join(await temporaryFolder(), "kit");
  await cp(accepted, folder, { recursive: true });
  const run = async (task?: LibraryTask) => {
    const { text, exitStatus, json } = await runOn(folder, task);
    return { text: text.replaceAll(folder, "kit"), exitStatus, json };
  };
  return { planted: new PlantedPackage(folder), folder, run };
}

const [left = [], right = []] = SNARE.channels;

const listOf = (says: string | readonly string[]): readonly string[] => [says].flat();

describe.each([...AUDIO_FAULTS, ...MANIFEST_FAULTS])("a planted fault: %s", (_, says, plant) => {
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

describe.each(FILE_FAULTS)("a planted fault: %s", (_, says, plant) => {
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

describe.each(LASTING_FAULTS)("a planted fault: %s", (_, says, plant) => {
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
  expect(text).toContain("Kick Deep: only metadata changed, such as tempo or loop points");
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

  test("a golden that isn't there yet is named", async () => {
    const { folder } = await acceptedPackage();
    const golden = join(folder, "expected", "layout.json");
    await writeFile(golden, POINTER);
    expect((await runLibrary([folder], CHECK)).text).toContain("layout.json is a Git LFS pointer");
    await rm(golden);
    await writeFile(join(folder, "expected", ".layout.json.icloud"), "bplist00");
    const { exitStatus, text } = await runLibrary([folder], CHECK);
    expect([exitStatus, text]).toEqual([
      1,
      expect.stringContaining("layout.json is still in iCloud"),
    ]);
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
