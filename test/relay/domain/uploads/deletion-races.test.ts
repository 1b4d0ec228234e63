import { expect, test } from "vitest";
import { DELETIONS, UPLOADS } from "./raced-relay.ts";
import { walkKills, walkRace } from "./walk-races.ts";

// Each upload meets two deletions and each deletion an upload or two; the slow test has every pair.
const PAIRS = Object.keys(UPLOADS).flatMap((upload, uploadIndex) =>
  Object.keys(DELETIONS)
    .filter((_, index) => (uploadIndex + index) % 3 === 0)
    .map((deletion) => ({ upload, deletion })),
);

test.for(PAIRS)("[Z15] $upload against $deletion leaves nothing, at every call", async (pair) => {
  expect(await walkRace({ ...pair, depth: "ports" })).toBeGreaterThan(10);
});

test("[Z15] after a kill, the start and a sweep delete all of a file whose package was withdrawn", async () => {
  const race = { upload: "PATCH of the whole", deletion: "withdrawal", depth: "ports" } as const;
  const some = (uploadAt: number, deletionAt: number) => (uploadAt + deletionAt) % 6 === 0;
  expect(await walkKills(race, some)).toBeGreaterThan(15);
});
