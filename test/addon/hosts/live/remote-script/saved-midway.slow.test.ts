import { readdir } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { FolderHost } from "../../../../../addon/hosts/folder/folder-host.ts";
import { ControlSurfaceHost } from "../../../../../addon/hosts/live/remote-script/control-surface-host.ts";
import { isOnlySaved } from "../../../../../core/protocol/package-status.ts";
import { importerAtWork } from "../../../importer-at-work.ts";
import { startStandIn } from "../../../relay/linked-client.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { StandInSurface } from "./stand-in-surface.ts";

const SOUNDS = ["Kick", "Snare", "Hat"];

/** An importer beside a Live that quits at one of the lines that they exchange. */
async function quitsAt(quitAt: number) {
  const relay = await startStandIn({ pkg_1_____________________: SOUNDS });
  const folder = await temporaryFolder();
  const onLine = (line: number) => (line === quitAt ? ("kill" as const) : undefined);
  const surface = await StandInSurface.start(folder, { onLine });
  const live = new ControlSurfaceHost({
    folders: [folder],
    pause: () => setImmediate(),
  });
  const more = { preferredHosts: [live], host: new FolderHost() };
  const { importer, settings } = await importerAtWork(relay.url, { folder, more });
  const files = async () => {
    const found = await readdir(settings.soundsFolder, { recursive: true });
    return found.filter((name) => name.endsWith(".wav")).length;
  };
  return { importer, relay, surface, folder, files };
}

async function countLines(): Promise<number> {
  const { importer, surface } = await quitsAt(Infinity);
  await importer.import("pkg_1_____________________");
  expect(surface.set.tracks).toHaveLength(SOUNDS.length);
  return surface.lines;
}

test("[R16][R4] Live quits at any moment: every file is there, and Live gets nothing twice", async () => {
  const lines = await countLines();
  expect(lines).toBeGreaterThan(8);
  const ends = new Set<string>();
  for (let quitAt = 1; quitAt <= lines; quitAt += 1) {
    const { importer, relay, surface, folder, files } = await quitsAt(quitAt);
    const end = await importer
      .import("pkg_1_____________________")
      .catch((error: Error) => error.name);
    expect(await files(), `line ${quitAt}`).toBe(SOUNDS.length);
    const isSaved = isOnlySaved(relay.reports.get("pkg_1_____________________"));
    ends.add(typeof end === "string" ? end : isSaved ? "saved" : "placed");
    if (isSaved) expect(surface.set.tracks, `line ${quitAt}`).toEqual([]);

    // Without Live it can always be saved.
    await importer.import("pkg_1_____________________");
    const { length: held } = surface.set.tracks;
    const again = await StandInSurface.start(folder, {}, surface.set);
    const asked = await importer
      .import("pkg_1_____________________")
      .catch((error: Error) => error.name);
    const expected = asked === "AlreadyPlacedError" ? held : SOUNDS.length;
    expect(again.set.tracks, `line ${quitAt}`).toHaveLength(expected);
  }
  expect(ends).toEqual(new Set(["saved", "LeftBehindError"]));
});
