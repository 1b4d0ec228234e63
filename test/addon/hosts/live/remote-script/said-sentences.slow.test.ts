import { expect, test } from "vitest";
import { UnreachableError } from "../../../../../addon/hosts/live/remote-script/control-surface-error.ts";
import { notReadySentence } from "../../../../../addon/hosts/host-registry.ts";
import { GUESSED, layoutOf, LOOP, ONE_SHOT } from "../../../../contracts/host/host-contract.ts";
import { unknownSentences } from "../../unknown-sentences.ts";
import type { FakeHabits } from "./fake-live-habits.ts";
import { liveStudio } from "./live-studio.ts";
import { QUICK } from "./small-layout.ts";

const ALL = layoutOf([LOOP, ONE_SHOT, GUESSED]);

const ODD: Partial<FakeHabits> = {
  newTrackArmed: true,
  freshPitch: [2, 7],
  inputTypes: ["Ext. In"],
  allowsPastFile: false,
  endSlackSeconds: -1,
};

/** Calls of Live that may fail, each in an import of its own. */
const CALLS = [
  "Song.create_scene",
  "Song.create_audio_track",
  "ClipSlot.create_audio_clip",
  "Clip.name=",
  "Clip.gain=",
  "Clip.loop_end=",
  "Clip.warping=",
  "Track.name=",
  "Track.arm=",
  "Scene.name=",
  "Song.tempo=",
];

test.each<Partial<FakeHabits>>([
  {},
  ODD,
  { variant: "Lite" },
  { limits: { tracks: 3 } },
  { limits: { scenes: 1 } },
  ...CALLS.map((call) => ({ failing: [{ call }] })),
  ...CALLS.slice(0, 3).map((call) => ({
    failing: [{ call, nth: 2, message: "No." }, { call: "Song.delete_track" }],
  })),
])("[N28] everything that Live's control surface reports has a code: %j", async (habits) => {
  const studio = await liveStudio({ habits: { ...QUICK, ...habits } });
  for (const reuseTracks of [false, true]) {
    const request = await studio.request(ALL, { sessionTempoBpm: 93, reuseTracks });
    const placed = await studio.host
      .place(request)
      .catch((error: Error) => [{ error: error.message }]);
    expect(unknownSentences(placed)).toEqual([]);
  }
});

test("[N28] what to do about a Live that doesn't answer has a code", async () => {
  const studio = await liveStudio({ habits: QUICK });
  await studio.live.kill();
  const request = await studio.request(ALL);
  const failure: unknown = await studio.host.place(request).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UnreachableError);
  const sentences = [
    String(failure instanceof Error && failure.message),
    notReadySentence(studio.host),
  ];
  expect(unknownSentences(sentences.map((error) => ({ error })))).toEqual([]);
});
