import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ControlSurfaceHost } from "../../../../../addon/hosts/live/remote-script/control-surface-host.ts";
import { clearKeptFiles } from "../../../../../addon/disk/kept-files.ts";
import { readLocalPackage } from "../../../../../addon/packages/local-package.ts";
import { writeLocalPackage } from "../../../importer-at-work.ts";
import { ImportSite } from "../../../runs/import-site.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { StandInSurface } from "./stand-in-surface.ts";

test("[H16][F5][F6] files that its clips play stay, whether cleared, imported elsewhere or cut off", async () => {
  const folder = await temporaryFolder();
  const packageFolder = await writeLocalPackage(join(folder, "Kit"), "Kit", ["Kick", "Snare"]);
  const site = new ImportSite(join(folder, "importer"));
  const source = await readLocalPackage(packageFolder);
  let killAt = 9;
  const surface = await StandInSurface.start(folder, {
    onCall: (call) => void (call === killAt && surface.kill()),
  });
  const host = () =>
    new ControlSurfaceHost({
      folders: [folder],
      pause: async () => undefined,
    });
  const expectAllThere = async (set: StandInSurface["set"]) => {
    const paths = set.tracks.flatMap(({ file }) => file ?? []);
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) expect((await readFile(path)).length).toBeGreaterThan(44);
  };
  await expect(site.import(source, { host: host() })).rejects.toThrow("Live stopped answering");
  await clearKeptFiles(site.sounds);
  await expectAllThere(surface.set);

  killAt = 0;
  const later = await StandInSurface.start(folder, {}, surface.set);
  const outcome = await site.import(source, { host: host(), again: true });
  expect(outcome.status).toBe("imported");
  await site.import(source);
  await clearKeptFiles(site.sounds);
  await new ImportSite(site.folder).import(source);
  await expectAllThere(later.set);
});
