import { expect, test } from "vitest";
import { payAnnouncement, payCode } from "../../../../relay/domain/admission/prices.ts";
import { tiersOf } from "../../../../core/quotas/address-tiers.ts";
import { announce, openUseCases, pairedApp, type UseCases } from "../use-cases.ts";

interface By {
  readonly address: string;
  readonly deviceId?: string;
  readonly isProven?: boolean;
}

/** How many of `tries` were paid, and the code of the first that was not. */
async function paid(
  { context }: UseCases,
  tries: number,
  byAt: (at: number) => By,
  pay: typeof payAnnouncement | typeof payCode = payAnnouncement,
) {
  const codes: string[] = [];
  for (let at = 0; at < tries; at += 1) {
    const { address, deviceId = `dev-${at}`, isProven = false } = byAt(at);
    const caller = { ...tiersOf(address), deviceId, isProven };
    const code = await pay(context, caller).then(
      () => "",
      (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "?"),
    );
    codes.push(code);
  }
  return { count: codes.filter((code) => code === "").length, code: codes.find(Boolean) };
}

test("[L10] a computer has 32 times what an app has, however many apps it pairs, and an address 128 times", async () => {
  await using cases = await openUseCases({ packagesPerHour: 1 });
  const one = { address: "203.0.113.1", deviceId: "dev" };
  expect(await paid(cases, 40, () => one)).toEqual({ count: 32, code: "TOO_MUCH_AT_ONCE" });
  expect(await paid(cases, 110, () => ({ address: "203.0.113.1" }))).toMatchObject({ count: 96 });
  expect(await paid(cases, 1, () => ({ address: "203.0.113.2" }))).toMatchObject({ count: 1 });
  cases.clock.time += 3_600_000;
  expect(await paid(cases, 1, () => one)).toMatchObject({ count: 1 });
});

test("[L10] all together have a budget, of which a quarter is kept for the proven", async () => {
  await using cases = await openUseCases({ packagesPerHour: 1 });
  const addressAt = (at: number) => `198.18.${Math.floor(at / 200)}.${at % 200}`;
  const strangers = await paid(cases, 3100, (at) => ({ address: addressAt(at) }));
  expect(strangers).toEqual({ count: 3072, code: "BUSY" });
  const proven = await paid(cases, 1100, (at) => ({
    address: `198.19.${at % 200}.${Math.floor(at / 200)}`,
    isProven: true,
  }));
  expect(proven).toEqual({ count: 1024, code: "BUSY" });
});

test("[L10] networks bind only while the relay is crowded", async () => {
  await using cases = await openUseCases({ packagesPerHour: 1 });
  const inOne = (at: number) => ({ address: `203.0.113.${at % 250}` });
  expect(await paid(cases, 1030, inOne)).toMatchObject({ count: 1030 });
  await paid(cases, 1900, (at) => ({
    address: `198.18.${at % 200}.${Math.floor(at / 200)}`,
  }));
  expect(await paid(cases, 1, inOne)).toEqual({ count: 0, code: "TOO_MUCH_AT_ONCE" });
});

test("[L10] what was not stored costs nothing", async () => {
  await using cases = await openUseCases({ packagesPerHour: 1 });
  const app = await pairedApp(cases);
  const announced = await Promise.allSettled(
    Array.from({ length: 40 }, () => announce(cases, app)),
  );
  expect(announced.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const own = { address: "203.0.113.9", deviceId: app.deviceId };
  expect(await paid(cases, 40, () => own)).toMatchObject({ count: 31 });
});

test("[L10] a computer gets 300 pairing codes an hour, and an address 2,400, however many apps were paired", async () => {
  await using cases = await openUseCases();
  const one = { address: "203.0.113.1", deviceId: "dev" };
  const codes = await paid(cases, 320, () => one, payCode);
  expect(codes).toEqual({ count: 300, code: "TOO_MUCH_AT_ONCE" });
  const others = await paid(cases, 2200, () => ({ address: "203.0.113.1" }), payCode);
  expect(others).toMatchObject({ count: 2100 });
  // What is announced has a budget of its own.
  expect(await paid(cases, 1, () => one)).toMatchObject({ count: 1 });
  cases.clock.time += 3_600_000;
  expect(await paid(cases, 1, () => one, payCode)).toMatchObject({ count: 1 });
});
