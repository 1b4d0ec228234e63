import { expect, test } from "vitest";
import { compareSettings } from "../../../../../core/report/compare-settings.ts";
import { comparedIn } from "../../../../../core/report/import-outcome.ts";
import { layoutOf, LOOP } from "../../../../contracts/host/host-contract.ts";
import { randomFrom } from "../../../../sim/random.ts";
import { WHOLE_FORMS } from "../../../../whole-forms.ts";
import type { FakeClip, FakeSet } from "./fake-live-set.ts";
import { liveStudio, placedOf } from "./live-studio.ts";

const BEAT = { ...LOOP, tempoBpm: 120, loopEndBeats: 8, gainDb: 0 };
const KIT = layoutOf([BEAT]);
/** Edits of one value each, which show in the Set. */
const EDITS: readonly Partial<FakeClip>[] = [
  { name: "Mine" },
  { colorIndex: 20 },
  { gain: 0.9 },
  { pitchCoarse: 7 },
  { warpMode: 4 },
];
const COUNT = WHOLE_FORMS ? 100 : 8;

/** The clip that the import made, with its place; undefined before that. */
function clipIn({ tracks }: FakeSet) {
  const track = tracks.length - 1;
  const scene = tracks[track]?.clips.findIndex((each) => each !== null) ?? -1;
  const clip = tracks[track]?.clips[scene];
  return tracks.length < 3 || !clip ? undefined : { track, scene, clip };
}

test(`[H24] of ${COUNT} edits of a person while Live is looked at, none is overwritten or reported`, async () => {
  const random = randomFrom(20_261_129);
  const studio = await liveStudio({ habits: { realTickMs: 1 } });
  const { live } = studio;
  let [overwritten, known] = [0, 0];
  for (let turn = 0; turn < COUNT; turn += 1) {
    await live.change({ guess: 127, analysisTicks: Math.floor(250 * random()) });
    await live.reload({});
    await live.run();
    const runId = `run-${turn}`;
    const edit = EDITS[Math.floor(EDITS.length * random())] ?? {};
    const request = await studio.request(KIT, { runId });
    const shown = { isSet: false };
    const placing = studio.host.place({ ...request, onProgress: () => (shown.isSet = true) });
    let at = clipIn(await live.dump());
    // A dump takes a tick at least: the edit comes between the clip and the last look.
    for (let left = Math.floor(120 * random()); left > 0 || !shown.isSet; left -= 1) {
      at = clipIn(await live.dump());
    }
    if (at === undefined) throw new Error("The clip isn't there.");
    await live.edit({ do: "changeClip", track: at.track, scene: at.scene, to: edit });
    let last = await placing;
    for await (const found of studio.host.follow(runId, new AbortController().signal)) last = found;
    const held = clipIn(await live.dump())?.clip;
    const isKept = Object.entries(edit).every(([name, value]) => {
      const now: unknown = held?.[name as keyof FakeClip];
      return typeof value === "number" ? Math.abs(Number(now) - value) < 1e-6 : now === value;
    });
    const sound = placedOf(last, "beat");
    const told = compareSettings(BEAT, comparedIn(sound), sound.tolerances);
    const theirs = told.filter(({ setting }) =>
      ["clip", "color_index", "gain_db", "warp_mode"].includes(setting),
    );
    if (!isKept) overwritten += 1;
    // What changes before Live was read for the first time can't be told from what Live made of it.
    const isKnown = sound.notes.some((note) => note.startsWith("You changed this clip"));
    known += isKnown ? 1 : 0;
    if (isKnown) expect(theirs, `turn ${turn}: ${JSON.stringify(edit)}`).toEqual([]);
    // After the last look, a clip that plays another tempo is never reported clean.
    const isWrong = (held?.markers ?? []).some(
      ([seconds, beat]) => Math.abs(2 * seconds - beat) > 1e-6,
    );
    if (isWrong)
      expect(
        told.map(({ setting }) => setting),
        `turn ${turn}`,
      ).toContain("warp_markers");
  }
  expect(overwritten).toBe(0);
  expect(known).toBeGreaterThan(COUNT / 2);
});
