import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LiveSetup } from "../../../addon/hosts/live-setup.ts";
import { LiveScript } from "../../../addon/live-setup/live-script.ts";
import { buildLiveSetup } from "../../../addon/live-setup/live-setup-of.ts";
import { stubScript } from "../live-setup/stub-script.ts";
import { runPanel } from "./ask.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** A running importer, and its answer to the panel's Install. */
async function importerWith(setup: (folder: string) => LiveSetup | undefined) {
  const folder = await temporaryFolder();
  const liveSetup = setup(folder);
  const { call, importer } = await runPanel(null, {
    folder,
    more: { ...(liveSetup && { liveSetup }) },
  });
  const install = async () => {
    const { status, json } = await call("POST", "/control/live/script", {});
    return { status, error: json?.["error"] };
  };
  return { folder, install, importer };
}

function setupIn(folder: string): LiveSetup {
  const script = new LiveScript({
    machine: { platform: "linux", home: folder, environment: {} },
    givenLibrary: join(folder, "User Library"),
    dataFolder: join(folder, "data"),
    lookAtControlSurface: async () => ({ kind: "absent" }),
    readFiles: async () => stubScript(),
  });
  return buildLiveSetup(script);
}

test("[H20] the panel's Install copies the script, and the state says so at once", async () => {
  const { folder, install, importer } = await importerWith(setupIn);
  expect(await install()).toEqual({
    status: 500,
    error: expect.stringContaining("Live's User Library wasn't found."),
  });
  const library = join(folder, "User Library");
  await mkdir(library);
  expect((await install()).status).toBe(200);
  expect(await readdir(join(library, "Remote Scripts", "Soundferry"))).toContain("surface.py");
  expect(importer.state.live).toMatchObject({ script: "current", libraryName: "User Library" });
});

test("[N2][H20] a refusal in the panel has no path", async () => {
  const { folder, install } = await importerWith(setupIn);
  await mkdir(join(folder, "User Library"));
  await writeFile(join(folder, "User Library", "Remote Scripts"), "");
  const { status, error } = await install();
  expect(status).toBe(500);
  expect(error).toMatch(/^Remote Scripts is in the way/);
});

test("[H20] an importer without Live's folders refuses to install", async () => {
  const { install } = await importerWith(() => undefined);
  expect((await install()).status).toBe(404);
});
