import { expect, test } from "vitest";
import { RANDOM_SEED } from "../../random-seed.ts";
import { randomFrom } from "../../sim/random.ts";
import { findStops, surviveRandomStops, surviveStops } from "./survive-stops.ts";

test("[J2][Z3] a relay that stops at every tenth point of a journey keeps what it answered", async () => {
  const stops = await findStops("killed");
  expect(stops.length).toBeGreaterThan(100);
  for (let at = 7; at < stops.length; at += 10) await surviveStops([stops[at] ?? 0]);
});

test("[U7][J1][J2] a relay that is killed and loses its power at random calls keeps what it answered", async () => {
  expect(await surviveRandomStops(16, randomFrom(RANDOM_SEED))).toBeGreaterThan(100);
});
