import { describe, expect, test } from "vitest";
import { findStops, surviveStops } from "./survive-stops.ts";

/** Least number of points that a start with everything in it passes. */
const START_POINTS = 20;

describe.each(["killed", "power cut"] as const)("a relay that is %s", (how) => {
  test("[J1][J2][Z3] before or after any store call of a journey keeps what it answered, and nothing else", async () => {
    const stops = await findStops(how);
    expect(stops.length).toBeGreaterThan(100);
    for (const stopAt of stops) await surviveStops([stopAt], how);
  });

  test("[J1][J2][Z3] and stops again while it starts keeps what it answered, and nothing else", async () => {
    const stops = await findStops(how);
    for (const [index, stopAt] of stops.entries()) {
      if (index % 2 === 0) await surviveStops([stopAt, (stopAt * 7) % START_POINTS], how);
    }
  });
});
