import { expect, test } from "vitest";
import { RANDOM_SEED } from "../../runner/random-seed.ts";
import { randomFrom } from "../../sim/random.ts";
import { surviveRandomStops } from "./survive-stops.ts";

test("[U7][J1][J2] a relay that is killed and loses its power at random calls keeps what it answered", async () => {
  expect(await surviveRandomStops(16, randomFrom(RANDOM_SEED))).toBeGreaterThan(100);
});
