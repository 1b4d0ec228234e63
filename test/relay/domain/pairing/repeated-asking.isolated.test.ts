import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answer, APP, claim, NOT_PAIRED, openAsking, prompt, turns, WAIT_MS } from "./asking.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test("[P13][P12] a claim that needs a yes is repeated while it waits: one prompt, and the call that came last gets the token", async () => {
  await using cases = await openAsking();
  const repeated = () => claim(cases, { ...APP, code: cases.code }, { key: "key" });
  const first = repeated();
  await prompt(cases);
  cases.clock.time += 1000;
  const second = repeated();
  await turns();
  expect(cases.notified.filter((each) => each.endsWith("pairing.asked"))).toHaveLength(1);
  await answer(cases, "allow");
  expect(await second.over).toBe("paired");
  await turns();
  await vi.advanceTimersByTimeAsync(WAIT_MS);
  await first.over;
  await cases.context.known.app(second.token ?? "");
  expect(await cases.context.pairings.listPairings(cases.deviceId)).toHaveLength(1);
  expect(cases.notified.filter((each) => each.endsWith("code.used"))).toHaveLength(1);
});

test("[P13][P12] a claim is repeated at once after the yes, without another one", async () => {
  await using cases = await openAsking();
  const body = { ...APP, code: cases.code };
  const first = claim(cases, body, { key: "key" });
  await answer(cases, "allow");
  expect(await first.over).toBe("paired");
  cases.notified.length = 0;
  const second = claim(cases, body, { key: "key" });
  expect(await second.over).toBe("paired");
  await cases.context.known.app(second.token ?? "");
  const others = [claim(cases, body, { key: "no" }), claim(cases, body)];
  others.push(claim(cases, body, { key: "key", address: "203.0.113.9" }));
  await turns();
  await vi.advanceTimersByTimeAsync(WAIT_MS);
  expect(await Promise.all(others.map(({ over }) => over))).toEqual(Array(3).fill(NOT_PAIRED));
  await cases.context.known.app(second.token ?? "");
  expect(cases.notified.filter((each) => each.includes("device:"))).toEqual([]);
});
