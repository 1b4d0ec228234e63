import { expect, test } from "vitest";
import {
  countRegistrationTry,
  payAnnouncement,
  payCode,
} from "../../../../relay/domain/admission/prices.ts";
import { tiersOf } from "../../../../core/quotas/address-tiers.ts";
import { Refusal } from "../../../../core/protocol/refusal.ts";
import { announce, openUseCases, pairedApp, type UseCases } from "../use-cases.ts";
import { recordProblems } from "../../../../relay/domain/upkeep/check-health.ts";
import { registerDevice } from "../../../../relay/domain/pairing/devices.ts";

interface By {
  readonly address: string;
  readonly deviceId?: string;
  readonly isProven?: boolean;
}

/** Formats a refusal as its code and the seconds of `Retry-After`, or as its sentence if that has other seconds. */
function saidBy(error: unknown): string {
  if (!(error instanceof Refusal)) return "?";
  const { code, message, extras } = error;
  const [, seconds] = /in (\d+) s\./.exec(message) ?? [];
  const { retryAfterSeconds: after } = extras;
  return seconds === undefined || seconds === String(after) ? `${code} ${after}` : message;
}

/** Counts the paid `tries` and formats the refusal of the first that was not paid. */
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
    const code = await pay(context, caller).then(() => "", saidBy);
    codes.push(code);
  }
  return { count: codes.filter((code) => code === "").length, code: codes.find(Boolean) };
}

test("[L10] a computer has 32 times what an app has, however many apps it pairs, and an address 128 times", async () => {
  await using cases = await openUseCases({ packagesPerHour: 1 });
  const one = { address: "203.0.113.1", deviceId: "dev" };
  expect(await paid(cases, 40, () => one)).toEqual({ count: 32, code: "TOO_MUCH_AT_ONCE 3600" });
  expect(await paid(cases, 110, () => ({ address: "203.0.113.1" }))).toMatchObject({ count: 96 });
  expect(await paid(cases, 1, () => ({ address: "203.0.113.2" }))).toMatchObject({ count: 1 });
  cases.clock.time += 3_600_000;
  expect(await paid(cases, 1, () => one)).toMatchObject({ count: 1 });
});

/** Addresses of so many /16s, in turns, each in a /24 of its own within them. */
const inNetworks = (networks: number, first: number) => (at: number) => ({
  address: `${first + Math.floor((at % networks) / 250)}.${(at % networks) % 250}.${Math.floor(at / networks)}.1`,
});

test("[L10] all together have a budget, of which a quarter is kept for the proven", async () => {
  await using cases = await openUseCases({ packagesPerHour: 1 });
  // 100 of each of 40 networks: the quarter for everybody, and the half for newcomers, 41 for each.
  const strangers = await paid(cases, 4000, inNetworks(40, 20));
  expect(strangers).toEqual({ count: 40 * 41, code: "BUSY 3600" });
  const others = await paid(cases, 4000, inNetworks(400, 30));
  expect(others).toMatchObject({ count: 3072 - 40 * 41 });
  const proven = await paid(cases, 1100, (at) => ({
    ...inNetworks(40, 20)(at),
    isProven: true,
  }));
  expect(proven).toEqual({ count: 1024, code: "BUSY 3600" });
});

test("[L10] networks bind only while the relay is crowded", async () => {
  await using cases = await openUseCases({ packagesPerHour: 1 });
  const inOne = (at: number) => ({ address: `203.0.113.${at % 250}` });
  // 70 % of the part for everybody; a network is held to an eighth of the whole after it.
  expect(await paid(cases, 1030, inOne)).toEqual({ count: 716, code: "TOO_MUCH_AT_ONCE 3600" });
  expect(await paid(cases, 500, inNetworks(4, 20))).toMatchObject({ count: 308 + 0 });
});

test("[L10] a payment takes all of its windows at once, and networks of their own", async () => {
  await using cases = await openUseCases({ packagesPerHour: 1 });
  const { limits } = cases.context;
  const takes: string[][] = [];
  const take = limits.take.bind(limits);
  limits.take = (windows) => {
    takes.push(windows.map(({ key }) => key));
    return take(windows);
  };
  await paid(cases, 1, () => ({ address: "203.0.113.1", deviceId: "dev" }));
  const own = ["dev", "203.0.113.1"];
  const networks = [["203.0.113.0/24"], ["203.0.0.0/16"]];
  expect(takes.splice(0)).toEqual([["everybody", ...own], ["203.0.0.0/16"], ...networks]);
  await paid(cases, 1, () => ({ address: "127.0.0.1", deviceId: "dev", isProven: true }));
  expect(takes).toEqual([["everybody", "dev"]]);
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
  expect(codes).toEqual({ count: 300, code: "TOO_MUCH_AT_ONCE 3600" });
  const others = await paid(cases, 2200, () => ({ address: "203.0.113.1" }), payCode);
  expect(others).toMatchObject({ count: 2100 });
  // What is announced has a budget of its own.
  expect(await paid(cases, 1, () => one)).toMatchObject({ count: 1 });
  cases.clock.time += 3_600_000;
  expect(await paid(cases, 1, () => one, payCode)).toMatchObject({ count: 1 });
});

const HOUR = 3_600_000;
const TOO_MANY = "REGISTRATIONS_TOO_MANY";
const OWN_TOO_MANY = "NETWORK_REGISTRATIONS_TOO_MANY";

async function codeFor({ context }: UseCases, address: string, key?: string): Promise<string> {
  const request = { read: async () => ({}), key, address };
  return registerDevice(context, request).then(() => "registered", saidBy);
}

/** Counts the registered `tries`. */
async function registered(cases: UseCases, tries: number, addressOf: (at: number) => string) {
  let count = 0;
  for (let at = 0; at < tries; at += 1) {
    if ((await codeFor(cases, addressOf(at))) === "registered") count += 1;
  }
  return count;
}

test("[AD9] an address registers so many computers a day, and an IPv6 /64 is one address", async () => {
  await using cases = await openUseCases({ registrationsPerAddressPerDay: 20 });
  expect(await registered(cases, 30, () => "203.0.113.1")).toBe(20);
  expect(await codeFor(cases, "203.0.113.1")).toBe(`${OWN_TOO_MANY} 86400`);
  expect(await codeFor(cases, "203.0.113.2")).toBe("registered");
  expect(await registered(cases, 30, (at) => `2001:db8:0:1::${at}`)).toBe(20);
  cases.clock.time += 23 * HOUR;
  expect(await codeFor(cases, "203.0.113.1")).toBe(`${OWN_TOO_MANY} 3600`);
  cases.clock.time += HOUR;
  expect(await codeFor(cases, "203.0.113.1")).toBe("registered");
});

test("[AD9] networks bind only while the relay is crowded, and then for what came before, too", async () => {
  const limits = { registrationsPerAddressPerDay: 1, registrationsPerDay: 200 };
  await using cases = await openUseCases(limits);
  // One network on a quiet day, far more than its eight.
  expect(await registered(cases, 40, (at) => `203.0.113.${at}`)).toBe(40);
  expect(await registered(cases, 31, (at) => `198.${at}.1.1`)).toBe(31);
  expect(await codeFor(cases, "203.0.113.99")).toBe(`${OWN_TOO_MANY} 86400`);
  expect(await registered(cases, 12, (at) => `192.0.2.${at}`)).toBe(8);
  // Nobody can have the rest with one /48.
  expect(await registered(cases, 12, (at) => `2001:db8:0:${at.toString(16)}::1`)).toBe(8);
});

test("[L13] seven /48s that use up a day's registrations leave a half to everybody elsewhere", async () => {
  await using cases = await openUseCases({ registrationsPerAddressPerDay: 50 });
  Object.assign(cases.context.policy, { registrationsPerDay: 2000 });
  for (const spread of [0, 1]) {
    // In one /32, then in seven.
    const flood = (at: number) =>
      `${(0x2a00 + spread * (at % 7)).toString(16)}:db8:${at % 7}:${(at >> 4).toString(16)}::1`;
    expect(await registered(cases, 2400, flood)).toBeLessThanOrEqual(1000);
  }
  expect(await codeFor(cases, "2a00:db8:9::1")).toBe(`${TOO_MANY} 86400`);
  // Newcomers of 100 networks, ten of each.
  const newcomer = (at: number) => `${20 + (at % 100)}.7.${at}.1`;
  expect(await registered(cases, 900, newcomer)).toBe(900);
  const noticed = () => [...cases.context.health.notices.keys()];
  expect(noticed()).toEqual(["newcomers"]);
  cases.clock.time += 599_999;
  await recordProblems(cases.context);
  expect(noticed()).toEqual(["newcomers"]);
  cases.clock.time += 1;
  await recordProblems(cases.context);
  expect(noticed()).toEqual([]);
});

test("[L13] a newcomers' network has 1 % of the whole, and says how long it is until there is more", async () => {
  await using cases = await openUseCases({ registrationsPerDay: 2000 });
  const fill = async () => registered(cases, 1100, (at) => `${20 + (at % 50)}.7.${at >> 3}.1`);
  expect(await fill()).toBe(1000);
  expect(await registered(cases, 50, (at) => `203.0.${at}.1`)).toBe(20);
  cases.clock.time += 20 * HOUR;
  const refused = await registerDevice(cases.context, {
    read: async () => ({}),
    key: undefined,
    address: "203.0.113.1",
  }).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: TOO_MANY,
    message: "Many computers were registered today. Try again in 4 h.",
    extras: { retryAfterSeconds: 4 * 3600 },
  });
  cases.clock.time += 4 * HOUR;
  expect(await codeFor(cases, "203.0.113.1")).toBe("registered");
});

test("[L13] small budgets are shared, too: an address of one network has some of it, never all", async () => {
  const limits = { registrationsPerAddressPerDay: 50, registrationsPerDay: 20 };
  await using cases = await openUseCases(limits);
  expect(await registered(cases, 50, (at) => `203.0.${at}.1`)).toBe(10);
  expect(await registered(cases, 50, (at) => `198.51.${at}.1`)).toBe(2);
  expect(await registered(cases, 50, () => "127.0.0.1")).toBe(8);
});

test("[AD9] a refused registration gives back what it counted, and calls of this computer count for all only", async () => {
  const limits = { registrationsPerAddressPerDay: 1, registrationsPerDay: 3 };
  await using cases = await openUseCases(limits);
  expect(await registered(cases, 50, () => "203.0.113.1")).toBe(1);
  expect(await registered(cases, 50, () => "127.0.0.1")).toBe(2);
  expect(await codeFor(cases, "::1")).toBe(`${TOO_MANY} 86400`);
});

test("[AD9] who has the operator's registration key pays no price", async () => {
  const limits = {
    registrationsPerAddressPerDay: 1,
    registersByKey: true,
    registrationKey: "of the studio",
  };
  await using cases = await openUseCases(limits);
  for (let at = 0; at < 5; at += 1) {
    expect(await codeFor(cases, "203.0.113.1", "of the studio")).toBe("registered");
  }
});

test("[AD9] a computer that fails to be stored costs nothing", async () => {
  await using cases = await openUseCases({ registrationsPerAddressPerDay: 1 });
  const failing = {
    ...cases,
    context: {
      ...cases.context,
      pairings: {
        ...cases.context.pairings,
        insertDevice: () => Promise.reject(new Error("the disk is gone")),
      },
    },
  };
  expect(await codeFor(failing, "203.0.113.1")).toBe("?");
  expect(await codeFor(cases, "203.0.113.1")).toBe("registered");
});

test("[P6] an address has so many tries a minute to register, and hears when there is another", async () => {
  await using cases = await openUseCases({ pairingTriesPerMinute: 2 });
  const address = "203.0.113.1";
  for (let tries = 0; tries < 2; tries += 1) await countRegistrationTry(cases.context, address);
  const third = await countRegistrationTry(cases.context, address).catch(saidBy);
  expect(third).toBe("TRIES_TOO_MANY 60");
  await countRegistrationTry(cases.context, "203.0.113.2");
});
