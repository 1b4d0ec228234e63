import { expect, test } from "vitest";
import { countReceived, SoundProgress } from "../../../core/panel/sound-progress.ts";
import { sampleSound } from "../layout/sample-package.ts";

test("[N3] a sound has a share of at most 1, and none where its size is unknown or 0", () => {
  const sounds = new SoundProgress(["1"]);
  const shareOf = (bytes: number | undefined, seen: number) => {
    sounds.noteBytes({ id: "1", ...(bytes !== undefined && { bytes }) }, seen);
    return sounds.snapshot()["1"];
  };
  expect(shareOf(3, 1)).toEqual({ state: "fetching", progress: 0.333 });
  expect(shareOf(3, 4)).toEqual({ state: "fetching", progress: 1 });
  expect(shareOf(undefined, 4)).toEqual({ state: "fetching" });
  expect(shareOf(0, 4)).toEqual({ state: "fetching" });
  expect(Object.getPrototypeOf(sounds.snapshot())).toBeNull();
});

test("[N3] the bytes of all sounds are reported every half percent, and go back after a restart", () => {
  const [one, other] = [sampleSound({ bytes: 1000 }), sampleSound({ id: "2" })];
  const reports: (readonly [number, number])[] = [];
  const count = countReceived([one, other], (...report) => reports.push(report));
  for (const seen of [2, 5, 500, 0]) count(one, seen);
  count(other, 1000);
  expect(reports).toEqual([
    [5, 1000],
    [500, 1000],
    [0, 1000],
    [1000, 2000],
  ]);
});
