import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { SoundsFolder } from "../../../addon/disk/sounds-folder.ts";
import { SavedPackages } from "../../../addon/packages/saved-packages.ts";
import type { RelayPort } from "../../../addon/relay/relay-port.ts";
import { Journals } from "../../../addon/runs/journal.ts";
import { smallWav } from "../../wav-bytes.ts";
import { ImportSite } from "../runs/import-site.ts";
import { MemorySource } from "../runs/memory-source.ts";
import type { Keeper } from "./keeper.ts";

const journalsIn = (folder: string) => new Journals(join(folder, "data/runs"), () => 0);

export const STEPS: Keeper = {
  title: "[R4] each step before it is done, and its outcome",
  nothing: { imported: [], steps: [] },
  async act(folder, note) {
    let imported: readonly string[] = (await journalsIn(folder).read("pkg_a")).importedInto.has(
      "live",
    )
      ? ["live"]
      : [];
    for (const runId of ["run-1", "run-2"]) {
      const run = { runId, hostName: "live", title: "Kit", earlier: [] };
      const noteSteps = (kind: "begun" | "kept", ...steps: string[]) =>
        note(kind, { imported, steps });
      noteSteps("begun");
      const journal = await journalsIn(folder).begin("pkg_a", run);
      noteSteps("kept");
      noteSteps("begun", "scene begun");
      await journal.step("scene", () => {
        noteSteps("kept", "scene begun");
        noteSteps("begun", "scene done");
      });
      noteSteps("kept", "scene done");
      noteSteps("begun", "scene done", "track begun");
      await journal
        .step("track", () => {
          noteSteps("kept", "scene done", "track begun");
          noteSteps("begun", "scene done", "track failed");
          throw new Error("No.");
        })
        .catch(() => undefined);
      noteSteps("kept", "scene done", "track failed");
      imported = ["live"];
      noteSteps("begun");
      journal.noteEnd("partial");
      noteSteps("kept");
    }
  },
  async read(folder) {
    const { importedInto, unfinished } = await journalsIn(folder).read("pkg_a");
    const steps = unfinished.get("live")?.steps ?? [];
    return {
      imported: [...importedInto],
      steps: steps.map(({ label, state }) => `${label} ${state}`),
    };
  },
};

export const TOGETHER: Keeper = {
  title: "[R4] steps before the first of them is done, and their outcomes after the last",
  nothing: [],
  async act(folder, note) {
    const run = { runId: "run-1", hostName: "live", title: "Kit", earlier: [] };
    note("begun", []);
    const journal = await journalsIn(folder).begin("pkg_a", run);
    note("kept", []);
    note("begun", ["scene begun", "track begun"]);
    // A power cut may leave the first of the lines.
    note("begun", ["scene begun"]);
    await journal.together(["scene", "track"], async () => {
      note("kept", ["scene begun", "track begun"]);
      await journal.step("scene", () => undefined);
      await journal.step("track", () => undefined);
      note("begun", ["scene done", "track begun"]);
      note("begun", ["scene done", "track done"]);
    });
    note("kept", ["scene done", "track done"]);
  },
  async read(folder) {
    const { unfinished } = await journalsIn(folder).read("pkg_a");
    const steps = unfinished.get("live")?.steps ?? [];
    return steps.map(({ label, state }) => `${label} ${state}`);
  },
};

const KICK = smallWav({ fill: 7 });
const SNARE = smallWav({ fill: 9, frames: 200 });

/** A relay that accepts every report, without a network. */
function relayThat(onReport: () => void): RelayPort {
  return {
    relayUrl: "http://relay.test",
    take: async () => ({ expires_at: "2026-11-21T12:00:00.000Z", expires_in: 300 }),
    openFile: () => Promise.reject(new Error("The source has the files.")),
    report: async () => {
      onReport();
      return { status: "imported" };
    },
  };
}

function kitFrom(relay: RelayPort): MemorySource {
  const sounds = [
    { name: "Kick", wav: KICK },
    { name: "Snare", wav: SNARE },
  ];
  return new MemorySource(sounds, "pkg_a", relay);
}

const WHOLE = { scenes: 1, tracks: ["Kick (Looper)", "Snare (Looper)"], folders: ["Kit"] };

/** Checks that a manifest is whole or not there, and there once a result may have been reported. */
async function assertSaved(site: ImportSite, { isReported }: { readonly isReported: boolean }) {
  const names = await readdir(join(site.sounds, "Kit")).catch((): string[] => []);
  if (!isReported && !names.includes("manifest.json")) return;
  const saved = await new SavedPackages(new SoundsFolder(site.sounds)).find("pkg_a");
  const sounds = saved?.manifest.items.map(({ bytes, sha256 }) => [bytes, sha256?.length]);
  const whole = JSON.stringify([KICK, SNARE].map(({ length }) => [length, 64]));
  if (JSON.stringify(sounds) !== whole) throw new Error("The manifest isn't whole.");
  if (saved?.problems.size !== 0) throw new Error("The manifest is there before its sounds.");
  if (!names.includes("Kit.dawproject"))
    throw new Error("The manifest is there before the project.");
}

/** An import: repeated if needed, it leaves the package once, with every sound, and its results reach the relay. */
export const IMPORT: Keeper = {
  title: "[R2][R4][F2][F3][F10] a whole import",
  nothing: { ...WHOLE, isReported: true },
  async act(folder, note) {
    // From here on the relay has the results.
    const relay = relayThat(() => note("begun", { ...WHOLE, isReported: false }));
    await new ImportSite(folder).import(kitFrom(relay));
  },
  async read(folder) {
    const site = new ImportSite(folder);
    let isReported = false;
    const relay = relayThat(() => (isReported = true));
    const { importedInto } = await site.journals().read("pkg_a");
    await assertSaved(site, { isReported: importedInto.has("preview") });
    if (importedInto.has("preview")) await site.outbox().flush(relay);
    else await site.import(kitFrom(relay));
    const { scenes, tracks } = await site.session();
    for (const { clip_slots } of tracks) {
      for (const { file, name } of Object.values(clip_slots)) {
        const wav = name === "Kick" ? KICK : SNARE;
        if (!(await readFile(file)).equals(wav)) throw new Error(`${file} isn't whole.`);
      }
    }
    await assertSaved(site, { isReported: true });
    const folders = await readdir(site.sounds);
    return {
      scenes: scenes.length,
      tracks: tracks.map(({ name }) => name),
      folders: folders.filter((name) => !name.startsWith(".")),
      isReported,
    };
  },
};
