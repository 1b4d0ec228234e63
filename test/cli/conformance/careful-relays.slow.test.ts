import { expect, test } from "vitest";
import { RunningRelay } from "../../relay/running-relay.ts";
import { holdRelay } from "./faults/breaking-proxy.ts";
import { PLAIN_SHAPES, startPlainRelay } from "./plain-relay.ts";

/** Checks with one app. Wrong codes would wait 25 s for a yes that never comes. */
const WITH_ONE_APP = ["claim", "S1", "M8", "C1"];

test("[Q1][P12] a relay that asks before every pairing keeps the contract: the kit's own importer says yes", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_PAIRING_CONSENT: "always" });
  const report = await holdRelay(relay, { only: WITH_ONE_APP });
  expect(report.checks.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  expect(report.passed).toBeGreaterThan(WITH_ONE_APP.length);
});

test("[Q1][L4] a relay with a registration key keeps the contract for who has the key", async () => {
  const key = "only-for-friends";
  await using relay = await RunningRelay.start({
    SOUNDFERRY_REGISTRATION: "key",
    SOUNDFERRY_REGISTRATION_KEY: key,
    SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "10",
  });
  const report = await holdRelay(relay, { registrationKey: key });
  expect(report).toMatchObject({ keeps_the_contract: true, failed: 0, hindered: 0 });
  const without = await holdRelay(relay, { only: WITH_ONE_APP });
  expect(without).toMatchObject({ keeps_the_contract: false, failed: 0 });
  expect(without.checks.map(({ reason }) => reason).join(" ")).toContain("key");
});

const GIVEN = {
  "--token": async (relay: RunningRelay) => ({ token: (await relay.paired()).token }),
  "--code": async (relay: RunningRelay) => {
    const { token } = await relay.register();
    return { code: (await relay.call("POST", "/importer/pairing-code", { token })).json.code };
  },
};

test.for(
  Object.values(PLAIN_SHAPES).flatMap((shape) =>
    Object.keys(GIVEN).map((given) => [given, shape] as const),
  ),
)(
  "[Q7] --slow and --limits fail nothing at a relay that knows only the public specification, with %s",
  async ([given, shape]) => {
    await using relay = await RunningRelay.start({ SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "10" });
    await using plain = await startPlainRelay(relay.url, shape);
    const report = await holdRelay(relay, {
      url: plain.url,
      only: ["public"],
      given: await GIVEN[given as keyof typeof GIVEN](relay),
      needs: new Set(["time", "limit"]),
    });
    expect(report.checks.filter(({ outcome }) => !/passed|skipped/.test(outcome))).toEqual([]);
    const skipped = new Map(report.checks.map(({ id, reason }) => [id, reason]));
    expect(skipped.get("wait-ends")).toContain("an hour");
    expect(skipped.get("unpair-by-the-user")).toContain("importer");
  },
);
