import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Machine, makeMachine } from "./run-soundferry.ts";

const FIXTURES = join(import.meta.dirname, "..", "..", "fixtures", "packages");
const KIT = join(FIXTURES, "one-shot-kit");
const BROKEN = join(FIXTURES, "local-with-broken-sounds");

/** A copy of a fixture that a test may change. */
async function copyOf(folder: string, machine: Machine): Promise<string> {
  const copy = join(machine.home, "package");
  await cp(folder, copy, { recursive: true });
  return copy;
}

describe("layout", () => {
  test("[K5] of one folder is its scene, tracks and warnings, as JSON and as a table", async () => {
    await using machine = await makeMachine();
    const [json, table] = await Promise.all([
      machine.run(["layout", KIT, "--json"]),
      machine.run(["layout", KIT]),
    ]);
    expect(json.stdout).toBe(await readFile(join(KIT, "expected", "layout.json"), "utf8"));
    expect(table.stdout).toBe(await readFile(join(KIT, "expected", "layout.txt"), "utf8"));
    expect(Object.keys(JSON.parse(json.stdout))).toEqual(["scene", "tracks", "warnings"]);
    expect([json.status, json.stderr, table.status, table.stderr]).toEqual([0, "", 0, ""]);
  });

  test("[K5] of several folders each has its folder; a sound that can't be used has an error in its place", async () => {
    await using machine = await makeMachine();
    const { stdout, status } = await machine.run(["layout", KIT, BROKEN, "--json"]);
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

  test("ends with a summary where there are several", async () => {
    await using machine = await makeMachine();
    const { stdout } = await machine.run(["layout", KIT, BROKEN]);
    expect(stdout).toMatch(/\n2 packages, \d+ sounds, \d+ of them not usable\.\n$/);
  });

  test("[K1] a folder that is no package fails, and stops none of the others", async () => {
    await using machine = await makeMachine();
    const [alone, among] = await Promise.all([
      machine.run(["layout", machine.home, "--json"]),
      machine.run(["layout", machine.home, KIT, "--json"]),
    ]);
    const error = "manifest.json is not in the package's folder.";
    expect(JSON.parse(alone.stdout)).toEqual({ error });
    expect(alone.status).toBe(1);
    const { packages } = JSON.parse(among.stdout);
    expect(packages[0]).toEqual({ folder: machine.home, error });
    expect(packages[1].tracks.length).toBeGreaterThan(0);
    expect(among.status).toBe(1);
  });
});

describe("layout --check and --update", () => {
  test("[K1] check passes where nothing changed and exits 1 where something did", async () => {
    await using machine = await makeMachine();
    const folder = await copyOf(KIT, machine);
    const before = await machine.run(["layout", "--check", folder]);
    expect(before.stdout).toContain(`${folder}: as accepted\n1 of 1 are laid out as accepted.`);
    expect(before.status).toBe(0);

    const manifest = join(folder, "manifest.json");
    await writeFile(
      manifest,
      (await readFile(manifest, "utf8")).replace(/"title": "[^"]*"/, '"title": "Changed"'),
    );
    const after = await machine.run(["layout", "--check", folder]);
    expect(after.stdout).toContain("+ Changed (");
    expect(after.stdout).toContain("0 of 1 are laid out as accepted. Look at the others;");
    expect(after.status).toBe(1);

    const accepting = await machine.run(["layout", "--update", folder, "--json"]);
    expect(JSON.parse(accepting.stdout)).toEqual({ packages: [{ folder, changed: true }] });
    expect((await machine.run(["layout", "--check", folder])).status).toBe(0);
  });

  test("[K1] check fails where nothing was accepted yet", async () => {
    await using machine = await makeMachine();
    const folder = await copyOf(KIT, machine);
    await rm(join(folder, "expected"), { recursive: true });
    const { status, stdout } = await machine.run(["layout", "--check", folder, "--json"]);
    const { packages } = JSON.parse(stdout);
    expect(packages[0]).toMatchObject({ folder, same: false });
    expect(packages[0].differences).toContain("is not there yet");
    expect(status).toBe(1);
  });
});
