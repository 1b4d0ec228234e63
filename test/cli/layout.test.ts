import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exitStatusOf } from "../../cli/fail.ts";
import { layoutCommand } from "../../cli/commands/layout.ts";
import { fixtureFolder } from "../fixtures/fixture-packages.ts";
import { makeMachine, runOnce } from "./run-soundferry.ts";

const KIT = fixtureFolder("one-shot-kit");
const BROKEN = fixtureFolder("local-with-broken-sounds");

describe("layout", () => {
  test("[K5] prints one package's scene, tracks and warnings, as JSON and as a table", async () => {
    await using machine = await makeMachine();
    const [json, table] = await Promise.all([
      machine.run(["layout", KIT, "--json"]),
      machine.runInside(["layout", KIT]),
    ]);
    expect(json.stdout).toBe(await readFile(join(KIT, "expected", "layout.json"), "utf8"));
    expect(table.stdout).toBe(await readFile(join(KIT, "expected", "layout.txt"), "utf8"));
    expect(Object.keys(JSON.parse(json.stdout))).toEqual(["scene", "tracks", "warnings"]);
    expect([json.status, json.stderr, table.status, table.stderr]).toEqual([0, "", 0, ""]);
  });

  test("[K5] prints several packages with their folders, and an error for each sound that can't be used", async () => {
    const { stdout, status } = await runOnce(["layout", KIT, BROKEN, "--json"]);
    const { packages } = JSON.parse(stdout);
    expect(packages).toHaveLength(2);
    expect(packages[0]).toEqual({
      folder: KIT,
      ...JSON.parse(await readFile(join(KIT, "expected", "layout.json"), "utf8")),
    });
    const unusable = packages[1].tracks.find((track: object) => "error" in track);
    expect(Object.keys(unusable)).toEqual(["id", "track", "clip", "kind", "error"]);
    expect(packages[1].tracks.some((track: object) => !("error" in track))).toBe(true);
    expect(status).toBe(0);
  });

  test("[K5][B1] a library is a list, even when it has one package; a path without one is wrong use", async () => {
    await using machine = await makeMachine();
    const nothing = join(machine.home, "nothing");
    await cp(KIT, join(machine.home, "library", "kit"), { recursive: true });
    const [library, alone, among] = await Promise.all([
      machine.runInside(["layout", join(machine.home, "library"), "--json"]),
      machine.runInside(["layout", nothing, "--json"]),
      machine.runInside(["layout", nothing, KIT, "--json"]),
    ]);
    expect(JSON.parse(library.stdout)).toMatchObject({
      packages: [{ folder: join(machine.home, "library", "kit"), tracks: expect.any(Array) }],
    });
    const error = `There is no folder ${nothing}.`;
    expect(JSON.parse(alone.stdout)).toEqual({ error, code: "WRONG_USE" });
    expect(JSON.parse(among.stdout)).toMatchObject({
      packages: [{ folder: nothing, error, code: "NO_PACKAGE" }, { tracks: expect.any(Array) }],
    });
    expect([library.status, alone.status, among.status]).toEqual([0, 2, 2]);
  });
});

test("[K1][B3] check exits 1 with the differences until they are accepted", async () => {
  await using machine = await makeMachine();
  const folder = join(machine.home, "package");
  await cp(KIT, folder, { recursive: true });
  const manifest = join(folder, "manifest.json");
  const changed = (await readFile(manifest, "utf8")).replace(/"title": "[^"]*"/, '"title": "New"');
  await writeFile(manifest, changed);

  const [before, json] = await Promise.all([
    machine.runInside(["layout", "--check", folder]),
    machine.runInside(["layout", "--check", folder, "--json"]),
  ]);
  expect(before.stdout).toContain("Scene name  “Kitchen Kit (Spoon & Kettle)” → “New (");
  expect(before.stdout).toContain("\n1 package, 10 sounds: 1 different.\n");
  expect(JSON.parse(json.stdout)).toEqual({
    packages: [
      {
        folder,
        same: false,
        status: "differs",
        differences: [
          {
            sound: null,
            setting: "scene",
            accepted: "Kitchen Kit (Spoon & Kettle)",
            now: "New (Spoon & Kettle)",
          },
        ],
      },
    ],
  });
  expect([before.status, json.status]).toEqual([1, 1]);

  const accepting = await machine.runInside(["layout", "--update", folder, "--json"]);
  expect(JSON.parse(accepting.stdout)).toEqual({ packages: [{ folder, changed: true }] });
  const after = await machine.runInside(["layout", "--check", folder]);
  expect([after.stdout, after.status]).toEqual(["1 package, 10 sounds: 1 match.\n", 0]);
});

test("[K5] --dawproject says what it wrote, what it left out and what failed", async () => {
  await using machine = await makeMachine();
  const path = join(machine.home, "out.dawproject");
  const nothing = join(machine.home, "nothing");
  const words = ["layout", BROKEN, nothing, "--dawproject", path, "--json"];
  const { stdout, stderr, status } = await machine.runInside(words);
  expect(JSON.parse(stdout)).toEqual({
    dawproject: path,
    scenes: 1,
    sounds: 2,
    left_out: expect.arrayContaining([
      { folder: BROKEN, sound: expect.any(String), text: expect.stringContaining("lost.wav") },
    ]),
    notes: expect.any(Array),
    failures: [{ folder: nothing, error: `There is no folder ${nothing}.`, code: "NO_PACKAGE" }],
  });
  expect(stderr).toContain("It was left out.\n");
  expect(stderr).toContain(`${nothing}: There is no folder`);
  expect(status).toBe(2);
  expect((await readFile(path)).subarray(0, 2).toString()).toBe("PK");
});

test.each([
  [["--allow-missing"], "--allow-missing needs --update."],
  [["--arrangement"], "--arrangement needs --dawproject."],
  [["--dawproject", "x.dawproject", "--check"], "cannot be used with"],
  [["--dawproject", "x.dawproject", "--update"], "cannot be used with"],
])("[K1] %j is wrong use", async (flags, says) => {
  const command = layoutCommand().configureOutput({ writeErr: () => undefined });
  const error: unknown = await command
    .parseAsync([KIT, ...flags], { from: "user" })
    .catch((e) => e);
  expect(error).toHaveProperty("message", expect.stringContaining(says));
  expect(exitStatusOf(error)).toBe(2);
});
