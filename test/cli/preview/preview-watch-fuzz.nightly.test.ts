import { cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { servePreview } from "../../../cli/preview/serve-preview.ts";
import type { PreviewState } from "../../../core/protocol/preview-api.ts";
import { writeLocalPackage } from "../../addon/importer-at-work.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { smallWav } from "../../wav-bytes.ts";
import { until } from "../../sim/until.ts";
import { allHeard } from "./preview-at-work.ts";

const SAVES = ["title", "replace", "break", "wav", "cut", "golden"] as const;
const MOVES = ["remove", "remove sound", "away", "back", "copy", "make", "swap", "wait"] as const;

/** A person's edit of a package; skipped if impossible at that time. */
interface Edit {
  readonly act: (typeof SAVES | typeof MOVES)[number];
  /** Makes each edit unique; the length of a wait, in milliseconds. */
  readonly n: number;
}

const edits = fc.array(
  fc.record({
    name: fc.constantFrom("A", "deep/B"),
    what: fc.record<Edit>({
      act: fc.constantFrom(...SAVES, ...MOVES),
      n: fc.integer({ min: 1, max: 120 }),
    }),
  }),
  { minLength: 1, maxLength: 25 },
);

function manifestOf(title: string): string {
  const items = [{ file: "Kick.wav", name: "Kick", kind: "oneshot" }];
  return JSON.stringify({ schema: "app2host/1", title, source: { app: "Looper" }, items });
}

interface Place {
  readonly library: string;
  readonly outside: string;
  readonly name: string;
}

async function edit({ library, outside, name }: Place, what: Edit): Promise<void> {
  const folder = join(library, name);
  const away = join(outside, name.replace("/", "-"));
  const manifest = join(folder, "manifest.json");
  const sound = join(folder, "Kick.wav");
  switch (what.act) {
    case "title":
      return writeFile(manifest, manifestOf(`T${what.n}`));
    case "replace":
      await writeFile(`${manifest}.new`, manifestOf(`R${what.n}`));
      return rename(`${manifest}.new`, manifest);
    case "break":
      return writeFile(manifest, manifestOf("Broken").slice(0, what.n));
    case "wav":
      return writeFile(sound, smallWav({ frames: 100 + what.n }));
    case "cut":
      return writeFile(sound, smallWav({ frames: 1000 }).subarray(0, what.n));
    case "golden":
      await mkdir(join(folder, "expected"), { recursive: true });
      return writeFile(join(folder, "expected", "layout.json"), `{"n": ${what.n}}`);
    case "remove":
      return rm(folder, { recursive: true });
    case "remove sound":
      return rm(sound);
    case "away":
      return rename(folder, away);
    case "back":
      return rename(away, folder);
    case "copy":
      return cp(folder, join(library, "deep", "C"), { recursive: true });
    case "make":
      return void (await writeLocalPackage(folder, "Made", ["Kick"]));
    case "swap":
      await rename(folder, away);
      return void (await writeLocalPackage(folder, "Swapped", ["Kick"]));
    case "wait":
      // The rhythm of the changes is what is tested: any, drawn by the seed.
      return setTimeout(what.n);
  }
}

/** Reads the scenes that a newly started preview shows. */
async function freshScenes(library: string): Promise<PreviewState["scenes"]> {
  await using preview = await previewOf(library, false);
  await allHeard(preview);
  return preview.state.scenes;
}

/** Scenes without whether they were edited, which a new preview can't know. */
function unedited(scenes: PreviewState["scenes"]): readonly unknown[] {
  return scenes.map((scene) => {
    const manifest = scene.manifest && Object.assign({}, scene.manifest, { isChanged: null });
    return Object.assign({}, scene, { manifest });
  });
}

function previewOf(library: string, isWatching: boolean) {
  const page = async () => "";
  return servePreview({ folders: [library], isWatching, port: 0, page, startFolder: library });
}

test("[V4] after any sequence of edits, the page shows what is on disk", async () => {
  await fc.assert(
    fc.asyncProperty(edits, async (list) => {
      const folder = await temporaryFolder();
      const library = join(folder, "library");
      for (const name of ["A", "deep/B"]) {
        await writeLocalPackage(join(library, name), name, ["Kick"]);
      }
      await using preview = await previewOf(library, true);
      for (const { name, what } of list) {
        await edit({ library, outside: folder, name }, what).catch(() => {});
      }
      const scenes = await freshScenes(library);
      await until(() => expect(unedited(preview.state.scenes)).toEqual(unedited(scenes)));
      await rm(folder, { recursive: true });
    }),
    { numRuns: 40, endOnFailure: true },
  );
});
