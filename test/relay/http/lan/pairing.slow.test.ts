import { expect, test } from "vitest";
import { soon } from "../../../sim/soon.ts";
import { answerAsked, claim, withCode } from "./claims.ts";
import { claimWithoutYes } from "./pair-attack.ts";

test("[LAN5] 0 pairings without a yes in 10,000 tries", async () => {
  await claimWithoutYes(10_000);
});

test("[LAN5] one yes pairs one of the claims that race", async () => {
  const made = await withCode({}, 5000);
  const claiming = Promise.all(Array.from({ length: 8 }, () => claim(made.url, made.code)));
  await answerAsked(made, "allow");
  const statuses = (await claiming).map(({ status }) => status);
  expect(statuses.toSorted((one, other) => one - other)).toEqual([200, ...Array(7).fill(404)]);
});

test("[LAN5] a claim that waits gets nothing of a code that a program on this computer uses meanwhile", async () => {
  const made = await withCode({}, 5000);
  const { admission } = made.relay.relay.context;
  const claiming = claim(made.url, made.code, { "idempotency-key": "phone" });
  await soon(() => admission.budget("claims").used).toBe(1);
  expect((await claim(made.relay.url, made.code)).status).toBe(200);
  expect((await claiming).status).toBe(404);
});
