import { expect, test } from "vitest";
import { surviveStops } from "./survive-stops.ts";

test("[J2][Z3] a relay that stops at every twentieth point of a journey keeps what it answered", async () => {
  const [points = 0] = await surviveStops([]);
  expect(points).toBeGreaterThan(300);
  for (let stopAt = 7; stopAt < points; stopAt += 20) await surviveStops([stopAt]);
});
