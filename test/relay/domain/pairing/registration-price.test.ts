import { expect, test } from "vitest";
import { registerDevice } from "../../../../relay/domain/pairing/devices.ts";
import { openUseCases, type UseCases } from "../use-cases.ts";

const HOUR = 3_600_000;

async function codeFor({ context }: UseCases, address: string, key?: string): Promise<string> {
  const request = { read: async () => ({}), key, address };
  return registerDevice(context, request).then(
    () => "registered",
    (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "?"),
  );
}

/** How many of `tries` are registered. */
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
  expect(await codeFor(cases, "203.0.113.1")).toBe("REGISTRATIONS_TOO_MANY");
  expect(await codeFor(cases, "203.0.113.2")).toBe("registered");
  expect(await registered(cases, 30, (at) => `2001:db8:0:1::${at}`)).toBe(20);
  cases.clock.time += 23 * HOUR;
  expect(await codeFor(cases, "203.0.113.1")).toBe("REGISTRATIONS_TOO_MANY");
  cases.clock.time += HOUR;
  expect(await codeFor(cases, "203.0.113.1")).toBe("registered");
});

test("[AD9] networks bind only while the relay is crowded, and then for what came before, too", async () => {
  const limits = { registrationsPerAddressPerDay: 1, registrationsPerDay: 100 };
  await using cases = await openUseCases(limits);
  // One network on a quiet day, far more than its eight.
  expect(await registered(cases, 40, (at) => `203.0.113.${at}`)).toBe(40);
  expect(await registered(cases, 31, (at) => `198.51.${at}.1`)).toBe(31);
  expect(await codeFor(cases, "203.0.113.99")).toBe("REGISTRATIONS_TOO_MANY");
  expect(await registered(cases, 12, (at) => `192.0.2.${at}`)).toBe(8);
  // Nobody can have the rest with one /48.
  expect(await registered(cases, 12, (at) => `2001:db8:0:${at.toString(16)}::1`)).toBe(8);
  expect(await registered(cases, 30, (at) => `198.18.${at}.1`)).toBe(13);
});

test("[AD9] a refused registration gives back what it counted, and calls of this computer count for all only", async () => {
  const limits = { registrationsPerAddressPerDay: 1, registrationsPerDay: 3 };
  await using cases = await openUseCases(limits);
  expect(await registered(cases, 50, () => "203.0.113.1")).toBe(1);
  expect(await registered(cases, 50, () => "127.0.0.1")).toBe(2);
  expect(await codeFor(cases, "::1")).toBe("REGISTRATIONS_TOO_MANY");
});

test("[AD9] who has the operator's registration key pays no price", async () => {
  const limits = { registrationsPerAddressPerDay: 1, registrationKey: "of the studio" };
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
