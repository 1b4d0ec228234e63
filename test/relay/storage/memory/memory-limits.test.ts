import { expect, test } from "vitest";
import { MemoryLimits } from "../../../../relay/storage/memory/memory-limits.ts";
import { limitsContract, SetClock } from "../../../contract/limits-contract.ts";

limitsContract("memory", (clock) => new MemoryLimits(clock));

test("an endless stream of addresses does not fill the memory: the oldest is dropped", async () => {
  const limits = new MemoryLimits(new SetClock());
  const tryFrom = (address: string) =>
    limits.count("pairing-tries", address, { max: 1, windowMs: 60_000 });
  for (let index = 0; index < 50_000; index += 1) await tryFrom(`address ${index}`);
  expect(await tryFrom("address 0")).toMatchObject({ allowed: false });
  await tryFrom("one more");
  expect(await tryFrom("address 1")).toMatchObject({ allowed: false });
  expect(await tryFrom("address 0")).toMatchObject({ allowed: true });
});

test("addresses that are idle are forgotten before one that is in use", async () => {
  const clock = new SetClock();
  const limits = new MemoryLimits(clock);
  const tryFrom = (address: string) =>
    limits.count("pairing-tries", address, { max: 1, windowMs: 60_000 });
  await tryFrom("in use");
  for (let index = 0; index < 9998; index += 1) await tryFrom(`idle ${index}`);
  clock.time += 60_000;
  await tryFrom("in use");
  for (let index = 0; index < 49_000; index += 1) await tryFrom(`new ${index}`);
  expect(await tryFrom("in use")).toMatchObject({ allowed: false });
});
