import { expect, test } from "vitest";
import { freePort } from "../../../scaled/engines/free-port.ts";
import { sharedRedis } from "../../scaled/shared-engines.ts";
import { openProcesses, PATIENT } from "./opened-limits.ts";
import { mostWithin, spreadCalls } from "./spread-calls.ts";

const MINUTE = { max: 600, windowMs: 60_000 };
const OVER_THE_EDGES = { calls: 1500, spanMs: 90_000, window: MINUTE };

/** In real time: these two wait for a minute and a half together. */
test.concurrent("[SC16] 1,500 calls of one token in 90 s over three relays: never more than 600 in 60 s", async () => {
  const { url } = await sharedRedis();
  await using opened = await openProcesses(3, { ...PATIENT, url });
  const allowed = await spreadCalls(opened.processes, OVER_THE_EDGES);
  expect(mostWithin(allowed, MINUTE.windowMs)).toBeLessThanOrEqual(600);
  expect(allowed.length).toBeGreaterThan(800);
});

test.concurrent("[SC16] the same without Redis: at least 600, at most 600 for each relay", async () => {
  const url = `redis://127.0.0.1:${await freePort()}`;
  await using opened = await openProcesses(3, { url, onTrouble: () => undefined });
  const allowed = await spreadCalls(opened.processes, OVER_THE_EDGES);
  expect(allowed.length).toBeGreaterThanOrEqual(600);
  expect(mostWithin(allowed, MINUTE.windowMs)).toBeLessThanOrEqual(1800);
});
