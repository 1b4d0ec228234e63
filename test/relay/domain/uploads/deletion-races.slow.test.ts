import { expect, test } from "vitest";
import { someOf } from "../../../whole-forms.ts";
import { DELETIONS, UPLOADS } from "./raced-relay.ts";
import { walkKills, walkRace } from "./walk-races.ts";

const PAIRS = Object.keys(UPLOADS).flatMap((upload) =>
  Object.keys(DELETIONS).map((deletion) => ({ upload, deletion })),
);

test.for(PAIRS)("[Z15] $upload against $deletion leaves nothing, at every call", async (pair) => {
  expect(await walkRace({ ...pair, depth: "ports" })).toBeGreaterThan(10);
});

test.for(someOf(PAIRS, 10))(
  "[Z15] $upload against $deletion leaves nothing, at every call to the disk",
  async (pair) => {
    expect(await walkRace({ ...pair, depth: "files" })).toBeGreaterThan(20);
  },
);

test.for(someOf(PAIRS, 10))(
  "[Z15] $upload against $deletion leaves nothing after a kill at any two calls",
  async (pair) => {
    expect(await walkKills({ ...pair, depth: "ports" })).toBeGreaterThan(20);
  },
);
