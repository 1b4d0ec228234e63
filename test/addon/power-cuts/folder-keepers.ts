import { join, relative } from "node:path";
import { buildImporter } from "../../../addon/build-importer.ts";
import { PreviewHost } from "../../../addon/hosts/preview/preview-host.ts";
import { readImporterSettings, withLibrary } from "../../../addon/settings.ts";
import { openStoredSettings } from "../../../addon/state/stored-settings.ts";
import type { Keeper } from "./keeper.ts";

/** Starts an importer in a folder that is also Live's User Library, and uses the sounds folder. */
async function startIn(folder: string, trouble: "cloud" | null) {
  const dataFolder = join(folder, "data");
  const stored = openStoredSettings(dataFolder).settings();
  const environment = { SOUNDFERRY_IMPORTER_DATA: dataFolder };
  const machine = { platform: "linux", home: folder, hostName: "studio", environment } as const;
  const read = readImporterSettings({ environment, stored }, machine, { relayUrl: null });
  const settings = withLibrary(read, { path: folder, trouble });
  const host = new PreviewHost(join(dataFolder, "preview-session.json"));
  const folderRevealer = { kind: "folder", reveal: async () => undefined } as const;
  const importer = buildImporter({ settings, host, folderRevealer });
  await importer.soundsFolder.reveal();
  return { importer, soundsFolder: relative(folder, settings.soundsFolder) };
}

export const PLACE: Keeper = {
  title: "[F9] where sounds are",
  nothing: "Music/Soundferry",
  async act(folder, note) {
    note("begun", "Samples/Soundferry");
    const { importer } = await startIn(folder, null);
    note("kept", "Samples/Soundferry");
    for (const chosen of ["Loops", "Beats"]) {
      note("begun", chosen);
      await importer.soundsFolder.change(join(folder, chosen));
      note("kept", chosen);
    }
    await importer.close();
  },
  async read(folder) {
    // A new choice would be another place: a cloud has taken the library over.
    const { importer, soundsFolder } = await startIn(folder, "cloud");
    await importer.close();
    return soundsFolder;
  },
};
