import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { importerAtWork, type WorkOptions } from "../../../importer-at-work.ts";
import { startStandIn } from "../../../relay/linked-client.ts";
import { offerPackage } from "../../../relay/packages-to-import.ts";
import { type LiveStudio, liveStudio } from "./live-studio.ts";
import { clipOf } from "./look-in-set.ts";
import { QUICK } from "./small-layout.ts";

const SOUNDS = ["Kick", "Snare"];

/** The bytes of each file that a clip of the Set plays. @throws {Error} where one is gone */
async function playedFiles({ live }: LiveStudio): Promise<readonly Buffer[]> {
  const tracks = (await live.dump()).tracks.filter(({ name }) => name.includes("("));
  return Promise.all(tracks.map((track) => readFile(clipOf(track).filePath)));
}

test("[F5] files that Live plays are never cleared, whatever is imported, restarted or cleared after", async () => {
  const studio = await liveStudio({ habits: QUICK });
  const relay = await startStandIn();
  offerPackage(relay, "pkg_1_____________________", SOUNDS);
  const settings = { soundsFolder: studio.sounds };
  const first = await importerAtWork(relay.url, {
    settings,
    more: { preferredHosts: [studio.host] },
  });
  const importAndClear = async (more: WorkOptions["more"] = {}) => {
    const { importer } = await importerAtWork(relay.url, { folder: first.folder, settings, more });
    await importer.start();
    expect((await importer.import("pkg_1_____________________")).status).toBe("imported");
    await importer.clearKeptFiles();
    expect(importer.state.keptFiles.clearableBytes).toBe(0);
    await importer.clearKeptFiles();
    await importer.close();
  };
  expect((await first.importer.import("pkg_1_____________________")).status).toBe("imported");
  await first.importer.clearKeptFiles();
  const played = await playedFiles(studio);
  expect(played).toHaveLength(SOUNDS.length);
  await first.importer.close();

  await importAndClear({ preferredHosts: [studio.newHost()] });
  expect(await playedFiles(studio)).toEqual([...played, ...played]);
  await importAndClear();
  expect(await playedFiles(studio)).toEqual([...played, ...played]);

  // Live restarted with the saved Set, and the importer once more.
  await studio.live.reload();
  await studio.live.run();
  await importAndClear({ preferredHosts: [studio.newHost()] });
  expect(await playedFiles(studio)).toEqual([...played, ...played, ...played]);
});
