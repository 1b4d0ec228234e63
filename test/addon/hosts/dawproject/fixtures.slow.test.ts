import { createHash } from "node:crypto";
import { colorLayout, formatColor } from "../../../../core/layout/palette.ts";
import { usableTracks } from "../../../../core/layout/usable-tracks.ts";
import { readFile } from "node:fs/promises";
import { Clips, ClipSlot, DawProject, Lanes, Track, Warps } from "dawproject-typescript";
import { XMLParser } from "fast-xml-parser";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { FolderPackage } from "../../../../cli/layout/read-package-folder.ts";
import type { TrackPlan } from "../../../../core/layout/layout.ts";
import { checkProject } from "./check-project.ts";
import { openDawproject } from "./open-dawproject.ts";
import { FORMS, useForms } from "./write-fixtures.ts";

const forms = useForms();

describe.each(FORMS)("$fixture, laid out: $withArrangement", (form) => {
  test("[D9] ids, references, durations and warps meet what DAWs need", async () => {
    const { path } = forms.get(form);
    checkProject(await openDawproject(path));
  });

  test("[D7] every sound is in it, byte for byte", async () => {
    const { path, packages, written } = forms.get(form);
    const { files } = await openDawproject(path);
    const inside = Object.keys(files)
      .filter((name) => name.startsWith("audio/"))
      .map((name) => digestOf(files[name] ?? new Uint8Array()));
    const sounds = await Promise.all(packages.flatMap((one) => filesOf(one)));
    expect(inside.toSorted()).toEqual(sounds.toSorted());
    expect(written.sounds).toBe(sounds.length);
  });

  describe("an independent reader", () => {
    // It warns that it gives out its ids itself.
    beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => undefined));
    beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));
    afterEach(() => void vi.restoreAllMocks());

    test("[D1][D5] reads back tracks, scenes and tempo", async () => {
      const { path, packages } = forms.get(form);
      const { tracks, tempo, scenes } = await readIndependently(path);
      const plans = packages.flatMap((one) => plansOf(one));
      expect(tracks.map(({ name, color }) => [name, color])).toEqual([
        ...plans.map((plan) => [plan.trackName, formatColor(plan.colorIndex).toLowerCase()]),
        ["Master", undefined],
      ]);
      for (const [index, plan] of plans.entries()) {
        const volume = tracks[index]?.channel?.volume?.value ?? Number.NaN;
        expect(20 * Math.log10(volume)).toBeCloseTo(plan.gainDb, 6);
      }
      expect(scenes.map(({ name }) => name)).toEqual(
        packages.map(({ layout }) => layout.scene.name),
      );
      const own = packages.find(({ layout }) => layout.session.tempoBpm !== null);
      if (own !== undefined) expect(tempo).toBe(own.layout.session.tempoBpm);
    });

    test("[D2] reads back the clip in each slot", async () => {
      const { path, packages } = forms.get(form);
      const { scenes } = await readIndependently(path);
      const plans = packages.map((one) => plansOf(one));
      expect(scenes.map(({ clips }) => clips)).toEqual(
        plans.map((each) =>
          each.map(({ clipName: name, looping: loops, loopEndBeats: loopEnd }) =>
            loopEnd === null
              ? { name, isWarped: false, loops }
              : { name, isWarped: true, loops, loopEnd },
          ),
        ),
      );
    });
  });
});

/** The reader looks for a scene's content under a name that the published schema does not have. */
async function readIndependently(path: string) {
  const bytes = await readFile(path);
  const project = await DawProject.loadProject(bytes);
  const text = new TextDecoder().decode(await DawProject.getEmbedded(bytes, "project.xml"));
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "@_" });
  const scenes = [parser.parse(text).Project.Scenes.Scene ?? []].flat();
  return {
    tracks: project.structure.filter((lane) => lane instanceof Track),
    tempo: project.transport?.tempo?.value,
    scenes: project.scenes.map((scene, index) => ({
      name: scene.name,
      clips: new Lanes().fromXmlObject(scenes[index].Lanes).lanes.map(clipIn),
    })),
  };
}

function clipIn(slot: object) {
  if (!(slot instanceof ClipSlot) || slot.clip === undefined) throw new Error("It has no clip.");
  const { name, loopEnd, content } = slot.clip;
  if (!(content instanceof Clips)) throw new Error("It has no events.");
  const [event] = content.clips;
  const isWarped = event?.content instanceof Warps;
  const clip = { name, isWarped, loops: loopEnd !== undefined };
  return isWarped ? { ...clip, loopEnd } : clip;
}

function plansOf({ layout }: FolderPackage): readonly TrackPlan[] {
  return usableTracks(colorLayout(layout, 0));
}

function filesOf(one: FolderPackage): readonly Promise<string>[] {
  const { items } = one.local.manifest;
  return plansOf(one).map(async ({ soundId }) => {
    const sound = items.find(({ id }) => id === soundId);
    if (sound === undefined) throw new Error(`${soundId} is not in the manifest.`);
    return digestOf(await readFile(await one.local.pathOf(sound)));
  });
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
