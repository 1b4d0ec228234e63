import { expect, test } from "vitest";
import { findStops, surviveStops } from "./survive-stops.ts";

test("[J2][Z3] a relay that stops at every tenth point of a journey keeps what it answered", async () => {
  const stops = await findStops("killed");
  expect(stops.length).toBeGreaterThan(100);
  for (let at = 7; at < stops.length; at += 10) await surviveStops([stops[at] ?? 0]);
});
