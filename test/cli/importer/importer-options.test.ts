import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openImporter } from "../../../addon/control/open-importer.ts";
import { dawprojectPath } from "../../../addon/hosts/dawproject/dawproject-host.ts";
import { readDawproject } from "../../../addon/hosts/dawproject/read-dawproject.ts";
import { readPreviewSession } from "../../../addon/hosts/preview/preview-session.ts";
import { withOwnHosts } from "../../../cli/commands/importer/importer-options.ts";
import { previewSessionIn } from "../../../cli/hosts.ts";
import { settingsIn } from "../../addon/importer-at-work.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";

const KIT = join(import.meta.dirname, "../../../fixtures/packages/half-beat-lengths");

test.each([
  { host: "dawproject", isLaidOut: false },
  { host: "dawproject-arrangement", isLaidOut: true },
])(
  "[R7] the command's importer writes a DAWproject and leaves the preview as it is: $host",
  async ({ host, isLaidOut }) => {
    const settings = settingsIn(await temporaryFolder(), null);
    const { importer, ...opened } = await openImporter(await withOwnHosts(settings, undefined));
    onTestFinished(() => opened[Symbol.asyncDispose]());
    const { status, folder, tracks } = await importer.import(KIT, { host });
    expect(status).toBe("imported");
    const path = dawprojectPath(folder ?? "", { withArrangement: isLaidOut });
    expect(await readDawproject(path)).toHaveLength(tracks.length);
    const project = await readFile(path, "latin1");
    expect(project.includes("<Markers")).toBe(isLaidOut);
    expect((await readPreviewSession(previewSessionIn(settings))).tracks).toEqual([]);
  },
);

test("[R7][D7] --all treats a DAWproject with an arrangement as a host of its own", async () => {
  const settings = settingsIn(await temporaryFolder(), null);
  await cp(KIT, join(settings.inboxFolder, "Kit"), { recursive: true });
  const { importer, ...opened } = await openImporter(await withOwnHosts(settings, undefined));
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const importedInto = async (host: string) =>
    (await importer.importAll({ host })).packages.map(({ status }) => status);
  for (const host of ["dawproject", "dawproject-arrangement"]) {
    expect(await importedInto(host), host).toEqual(["imported"]);
    expect(await importedInto(host), host).toEqual([]);
  }
});
