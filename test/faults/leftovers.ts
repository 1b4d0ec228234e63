import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { startImporter } from "../../addon/control/open-importer.ts";
import { PreviewHost } from "../../addon/hosts/preview/preview-host.ts";
import { settingsIn } from "../addon/importer-at-work.ts";
import type { Fault } from "./fault.ts";
import type { Site } from "./site.ts";

const DAY_SECONDS = 86_400;

/** What a killed relay leaves: an empty folder, a folder with an upload that nobody resumes. */
async function leave(site: Site): Promise<void> {
  const sounds = join(site.data, "sounds");
  await mkdir(join(sounds, "pkg_empty"));
  await mkdir(join(sounds, "pkg_unfinished"));
  const part = join(sounds, "pkg_unfinished", "snd_1.part");
  await writeFile(part, "RIFF");
  const old = Date.now() / 1000 - DAY_SECONDS;
  await utimes(part, old, old);
  for (const folder of ["pkg_empty", "pkg_unfinished"]) {
    await utimes(join(sounds, folder), old, old);
  }
}

async function expectTidy(site: Site): Promise<void> {
  const named = async () =>
    (await readdir(join(site.data, "sounds"))).filter((name) => /empty|unfinished/.test(name));
  await expect.poll(named).toEqual([]);
}

/** An importer that takes its folder's lock and imports what waits. */
async function importAsOwner(site: Site): Promise<void> {
  const settings = settingsIn(site.folder, site.proxy.url);
  const host = new PreviewHost(join(settings.dataFolder, "preview-session.json"));
  await site.importer.close();
  {
    await using opened = await startImporter({ settings, host });
    await expect.poll(() => readdir(settings.soundsFolder)).not.toContain("Unfinished");
    site.ledger.imported((await opened.importer.importAll()).packages);
  }
  await site.reopenImporter();
}

export const LEFTOVERS: Fault = {
  name: "D10",
  what: "leftovers of kills are there, or the data can't be used",
  cells: {
    "before start": {
      send: {
        rule: "[K1]",
        title:
          "a data folder that can't be made ends the start with a sentence, and the right one serves",
        play: async (site) => {
          await site.stop();
          const { status, stderr } = await site.refusedStart({ SOUNDFERRY_DATA: "/proc/x" });
          expect(status).toBe(1);
          expect(stderr).toContain("Can't create the folder /proc/x");
          await site.start();
        },
      },
      import: {
        rule: "[R3][F2]",
        title:
          "what a killed importer left goes, and settings of the wrong shape are kept and named",
        play: async (site) => {
          await site.sendWaiting(2);
          const { dataFolder, soundsFolder } = settingsIn(site.folder, site.proxy.url);
          const old = Date.now() / 1000 - DAY_SECONDS;
          const unfinished = join(dataFolder, "importer.lock.abcdefghijkl");
          await writeFile(unfinished, "{}");
          const claimed = join(soundsFolder, "Unfinished");
          await mkdir(claimed, { recursive: true });
          await writeFile(join(claimed, ".soundferry.json.new"), "{}");
          for (const path of [unfinished, join(claimed, ".soundferry.json.new"), claimed]) {
            await utimes(path, old, old);
          }
          const config = join(dataFolder, "config.json");
          const kept = await readFile(config, "utf8");
          await writeFile(config, '{"identities": []}');
          await expect(importAsOwner(site)).rejects.toThrow(
            /config\.json is damaged: .*must be an/,
          );
          expect(await readFile(config, "utf8")).toBe('{"identities": []}');
          await writeFile(config, kept);
          await importAsOwner(site);
          expect(await readdir(dataFolder)).not.toContain("importer.lock.abcdefghijkl");
          expect(site.ledger.in("waiting")).toEqual([]);
        },
      },
      sweep: {
        rule: "[Z4]",
        title: "empty folders and unfinished uploads of a killed relay go",
        play: async (site) => {
          await site.stop("SIGKILL");
          await leave(site);
          await site.start();
          await expectTidy(site);
        },
      },
    },
    "while running": {
      send: { leftOut: "the folder is chosen at the start" },
      import: { leftOut: "an importer that runs has no leftovers of its own; its start looks" },
      sweep: {
        rule: "[Z4]",
        title: "empty folders and unfinished uploads go with the next look, without a restart",
        play: async (site) => {
          await leave(site);
          await expectTidy(site);
        },
      },
    },
  },
};
