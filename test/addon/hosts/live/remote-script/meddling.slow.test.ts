import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { FakeEdit } from "./fake-live.ts";
import { type LiveStudio, liveStudio } from "./live-studio.ts";
import { tracksAfter } from "./look-in-set.ts";
import { violationsIn } from "./fake-live-log.ts";
import { QUICK, RUN, SMALL } from "./small-layout.ts";

const SET = {
  selectedScene: 0,
  scenes: [{ name: "A" }, { name: "B" }],
  tracks: [{ name: "Drums" }, { name: "Bass" }],
};
/** Our first track is at 2, our scene at 1. */
const MEDDLING: readonly (readonly [what: string, edits: readonly FakeEdit[]])[] = [
  ["deletes our first track", [{ do: "deleteTrack", index: 2 }]],
  ["deletes a track of theirs", [{ do: "deleteTrack", index: 0 }]],
  ["deletes our scene", [{ do: "deleteScene", index: 1 }]],
  ["inserts a scene above ours", [{ do: "insertScene", index: 0 }]],
  ["moves our scene", [{ do: "moveScene", index: 1, to: 2 }]],
  ["renames our track", [{ do: "renameTrack", index: 2, name: "Renamed" }]],
  [
    "puts a track of theirs in the place and at the address of ours",
    [
      { do: "deleteTrack", index: 2 },
      { do: "insertTrack", index: 2, name: "Mine" },
    ],
  ],
  ["undoes", [{ do: "undo" }]],
];

/** Ticks until our tracks have been there for so many ticks, lets the person act, and runs on. */
async function meddle({ live }: LiveStudio, ticks: number, edits: readonly FakeEdit[]) {
  await live.stop();
  let isThere = 0;
  for (let tick = 0; tick < 500 && isThere < ticks; tick += 1) {
    await live.tick();
    if ((await live.dump()).tracks.length === SET.tracks.length + 2) isThere += 1;
    await sleep(1);
  }
  for (const edit of edits) await live.edit(edit);
  await live.run();
}

test.each(MEDDLING)(
  "[H16] a person who %s meanwhile loses nothing, and is told the truth",
  async (what, edits) => {
    for (const ticks of [1, 3, 6]) {
      const studio = await liveStudio({ habits: QUICK, set: SET });
      const before = await studio.live.dump();
      const placing = studio.host.place(await studio.request(SMALL, { runId: RUN }));
      await meddle(studio, ticks, edits);
      const placed = await placing;
      const after = await studio.live.dump();
      const why = `${what} after ${ticks} ticks`;
      const theirs =
        what.includes("of theirs") && what.startsWith("deletes") ? ["Bass"] : ["Drums", "Bass"];
      expect(
        after.tracks.slice(0, theirs.length).map(({ name }) => name),
        why,
      ).toEqual(theirs);
      if (what.startsWith("puts")) expect(after.tracks.map(({ name }) => name)).toContain("Mine");
      const ours = after.tracks.filter(({ data }) => data["soundferry"] !== undefined);
      const told = placed.flatMap((sound) => ("holds" in sound ? [sound.holds.trackName] : []));
      // A name that the person changed before the last look is no setting of the import any more.
      expect(
        told.map((name, index) => name ?? ours[index]?.name),
        why,
      ).toEqual(ours.map(({ name }) => name));
      expect(
        ours.every(({ clips }) => clips.filter(Boolean).length === 1),
        why,
      ).toBe(true);
      expect(placed, why).toHaveLength(SMALL.tracks.length);
      expect(violationsIn(await studio.live.log()), why).toEqual([]);
      expect(tracksAfter(before, after).length, why).toBeLessThanOrEqual(2);
    }
  },
);
