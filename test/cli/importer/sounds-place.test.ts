import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { whyThere } from "../../../cli/commands/importer/importer-options.ts";
import { importerFacts } from "../../../cli/commands/importer/run-importer.ts";
import { settingsIn } from "../../addon/importer-at-work.ts";
import { newStore } from "../../addon/runs/new-store.ts";
import { type Machine, makeMachine } from "../run-soundferry.ts";

const KIT = join(import.meta.dirname, "../../../fixtures/packages/half-beat-lengths");

async function libraryIn(machine: Machine, ...inside: readonly string[]): Promise<string> {
  const library = join(machine.home, ...inside, "User Library");
  await mkdir(library, { recursive: true });
  return library;
}

/** Imports into the preview and returns the package's folder. */
async function importKit(machine: Machine, library: string): Promise<string> {
  const words = ["importer", "import", KIT, "--host", "preview", "--again", "--json"];
  const { stdout } = await machine.runInside(words, { SOUNDFERRY_LIVE_LIBRARY: library });
  return JSON.parse(stdout).packages[0].folder;
}

test("[F9][K3] an import puts sounds into Live's User Library, and they stay when Live has another one", async () => {
  await using machine = await makeMachine();
  const library = await libraryIn(machine, "Music", "Ableton");
  const folder = await importKit(machine, library);
  expect(dirname(folder)).toBe(join(library, "Samples", "Soundferry"));
  expect(await readdir(folder)).toContain("Two and a Half.wav");
  const another = await libraryIn(machine, "Elsewhere");
  expect(await importKit(machine, another)).toBe(folder);
  expect(await readdir(another)).toEqual([]);
});

test("[F9] a User Library in a cloud gets no sounds", async () => {
  await using machine = await makeMachine();
  const library = await libraryIn(machine, "OneDrive", "Documents", "Ableton");
  expect(dirname(await importKit(machine, library))).toBe(
    join(machine.home, "Music", "Soundferry"),
  );
  expect(await readdir(library)).toEqual([]);
});

test("[F9][K2] doctor says where sounds go and why", async () => {
  await using machine = await makeMachine();
  const findSounds = async (library: string) => {
    const environment = { SOUNDFERRY_LIVE_LIBRARY: library };
    const words = ["doctor", "--json", "--relay-url", "http://127.0.0.1:9"];
    const { findings } = JSON.parse((await machine.runInside(words, environment)).stdout);
    return findings.find(({ check }: { readonly check: string }) => check === "sounds").sentence;
  };
  const library = await libraryIn(machine, "Music", "Ableton");
  expect(await findSounds(library)).toMatch(
    /User Library[\\/]Samples[\\/]Soundferry \(.+ free\)\. It is in Live's User Library\. It is created at the first start\.$/,
  );
  expect(await readdir(library)).toEqual([]);
  const cloud = await libraryIn(machine, "Dropbox");
  expect(await findSounds(cloud)).toMatch(
    /Music[\\/]Soundferry \(.+ free\)\. Live's User Library is synchronized with a cloud\. /,
  );
});

test("[F9][K2] importer and up print the reason beside the folder", () => {
  const settings = settingsIn("/home/mia", null);
  const { state } = newStore();
  const soundsOf = (because: "not-writable" | null) => {
    const soundsFolder = { ...state.soundsFolder, because };
    return new Map(importerFacts(settings, { ...state, soundsFolder })).get("Sounds");
  };
  expect(soundsOf(null)).toBe(settings.soundsFolder);
  expect(soundsOf("not-writable")).toBe(
    `${settings.soundsFolder}. Soundferry can't write to Live's User Library.`,
  );
  expect(whyThere(state.soundsFolder)).toBeUndefined();
});
