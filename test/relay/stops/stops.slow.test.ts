import { describe, expect, test } from "vitest";
import { surviveStops } from "./survive-stops.ts";

/** How many points a start with everything in it passes, at the least. */
const START_POINTS = 20;

describe.each(["killed", "power cut"] as const)("a relay that is %s", (how) => {
  test("[J1][J2][Z3] before or after any store call of a journey keeps what it answered, and nothing else", async () => {
    const [points = 0] = await surviveStops([], how);
    expect(points).toBeGreaterThan(300);
    for (let stopAt = 0; stopAt < points; stopAt += 1) await surviveStops([stopAt], how);
  });

  test("[J1][J2][Z3] and stops again while it starts keeps what it answered, and nothing else", async () => {
    const [points = 0] = await surviveStops([], how);
    for (let stopAt = 0; stopAt < points; stopAt += 3) {
      await surviveStops([stopAt, (stopAt * 7) % START_POINTS], how);
    }
  });
});
