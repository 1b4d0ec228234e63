import { expect, test } from "vitest";
import { DELETIONS, UPLOADS } from "./raced-relay.ts";
import { walkKills, walkRace } from "./walk-races.ts";

const PAIRS = Object.keys(UPLOADS).flatMap((upload) =>
  Object.keys(DELETIONS).map((deletion) => ({ upload, deletion })),
);

test.for(PAIRS)("[Z15] $upload against $deletion leaves nothing, at every call", async (pair) => {
  expect(await walkRace({ ...pair, depth: "ports" })).toBeGreaterThan(10);
});

test.for(["withdrawal", "expiry"])(
  "[Z15] after a kill, the start and a sweep delete all of a file whose package went by %s",
  async (deletion) => {
    const race = { upload: "PATCH of the whole", deletion, depth: "ports" } as const;
    const some = (uploadAt: number, deletionAt: number) => (uploadAt + deletionAt) % 4 === 0;
    expect(await walkKills(race, some)).toBeGreaterThan(20);
  },
);
