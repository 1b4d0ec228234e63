import { cp, mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect } from "vitest";
import { LiveSetHost } from "../../../addon/hosts/live-set/live-set-host.ts";
import { liveSetPath } from "../../../addon/hosts/live-set/live-set-file.ts";
import { compareSettings } from "../../../core/report/compare-settings.ts";
import { findSetFiles } from "../../../cli/commands/live-set/find-files.ts";
import { readSet } from "../../../addon/hosts/live-set/read-set.ts";
import { readPackageFolder } from "../../../cli/layout/read-package-folder.ts";
import { colorLayout } from "../../../core/layout/palette.ts";
import { usableTracks } from "../../../core/layout/usable-tracks.ts";
import { checkLiveSet } from "../../../core/live-set/check/check-live-set.ts";
import { FindingList } from "../../../core/live-set/check/finding-list.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { placeRequest } from "../../contracts/host/host-contract.ts";
import { fixtureFolder } from "../../fixtures/fixture-packages.ts";

/** Expects that the check finds nothing in a Set and its files, not even what is only worth a note. */
export async function expectNoFindings(path: string): Promise<void> {
  const list = new FindingList();
  const document = await readSet(path, list);
  checkLiveSet(document, await findSetFiles(document.root, path), list);
  expect([...list.faults, ...list.notes, ...list.notJudged]).toEqual([]);
}

/** Imports a fixture into a Set beside its sounds, and expects no finding and no difference. */
export async function expectSoundImport(fixture: string): Promise<void> {
  const folder = join(await temporaryFolder(), basename(fixture));
  await mkdir(folder);
  await cp(fixtureFolder(fixture), folder, { recursive: true });
  const { layout: read, local } = await readPackageFolder(folder);
  const layout = colorLayout(read, 3);
  const usable = new Set(usableTracks(layout).map(({ soundId }) => soundId));
  const sounds = local.manifest.items.filter(({ id }) => usable.has(id));
  const files = await Promise.all(
    sounds.map(async (sound) => [sound.id, await local.pathOf(sound)] as const),
  );
  const placed = await new LiveSetHost().place({
    ...(await placeRequest(layout)),
    files: new Map(files),
  });
  for (const [index, plan] of usableTracks(layout).entries()) {
    const sound = placed[index];
    if (sound === undefined || !("holds" in sound)) {
      expect(sound).toMatchObject({
        error: expect.stringMatching(/32-bit integers, which Live refuses/),
      });
    } else expect(compareSettings(plan, sound.holds)).toEqual([]);
  }
  await expectNoFindings(liveSetPath(local.folder));
}
