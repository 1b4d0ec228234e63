import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { storedKeys } from "../../relay/http/stored-keys.ts";
import { RunningRelay } from "../../relay/running-relay.ts";
import { holdRelay, SHORT_WINDOWS } from "./faults/breaking-proxy.ts";
import { soon } from "../../sim/soon.ts";

/** The contract's own limit, which a test's relay otherwise lifts. */
const AS_IT_COMES = { SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "10" };

test("[Q1][Q3] the project's relay, with the limits it comes with, keeps the contract", async () => {
  await using relay = await RunningRelay.start(AS_IT_COMES);
  const report = await holdRelay(relay);
  expect(report.checks.filter(({ outcome }) => !/passed|skipped/.test(outcome))).toEqual([]);
  expect(report).toMatchObject({ keeps_the_contract: true, failed: 0, hindered: 0 });
  expect(report.passed).toBeGreaterThan(200);
  // No limit had to be waited out: an ordinary run stays within ten tries a minute.
  expect(relay.clock.shiftMs).toBeLessThan(30_000);
});

test("[Q4] --slow and --limits add the checks that take time or use up a limit", async () => {
  await using relay = await RunningRelay.start({ ...AS_IT_COMES, ...SHORT_WINDOWS });
  const needy = ["P2", "S2", "S4", "S5", "U5", "U6", "L1", "L2", "L3", "L4", "P6"];
  const only = [...needy, "claim-without-app-id"];
  const without = await holdRelay(relay, { only });
  const skipped = without.checks.filter(({ outcome }) => outcome === "skipped");
  expect(new Set(skipped.map(({ rule }) => rule))).toEqual(new Set([...needy, "P4"]));
  expect(skipped.every(({ reason }) => /--slow|--limits/.test(reason ?? ""))).toBe(true);
  const report = await holdRelay(relay, { only, needs: new Set(["time", "limit"]) });
  expect(report.checks.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
});

test("[Q4] a limit of more than a minute makes a check inconclusive, and the report names it", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_PACKAGES_PER_HOUR: "1" });
  const report = await holdRelay(relay, { only: ["S1"] });
  expect(report.keeps_the_contract).toBe(false);
  const inconclusive = report.checks.filter(({ outcome }) => outcome === "hindered");
  expect(inconclusive.length).toBeGreaterThan(0);
  expect(inconclusive[0]?.reason).toMatch(
    /POST \/packages: a limit .*The limit is \d+ packages an hour/,
  );
});

test("[Q6] the kit removes everything it created when it ends", async () => {
  await using relay = await RunningRelay.start();
  await holdRelay(relay, { only: ["S1", "S3", "U3", "P7"] });
  await expectNothingLeft(relay);
});

test.each([13, 29, 40])(
  "[Q6] the kit removes everything it created when stopped after %i checks",
  async (at) => {
    await using relay = await RunningRelay.start();
    const stop = new AbortController();
    let count = 0;
    const stopped = holdRelay(relay, {
      signal: stop.signal,
      onResult: ({ outcome }) => {
        // Skipped checks are reported first, before anything exists to remove.
        if (outcome !== "skipped") count += 1;
        if (count === at) stop.abort(new Error("Stopped."));
      },
    });
    await expect(stopped).rejects.toThrow("Stopped.");
    expect(count).toBeLessThan(200);
    await expectNothingLeft(relay);
  },
);

async function expectNothingLeft(relay: RunningRelay): Promise<void> {
  expect(relay.logLines.some((line) => line.includes("/importer/register"))).toBe(true);
  using database = new DatabaseSync(join(relay.folder, "relay.sqlite"), { readOnly: true });
  const left = async () => ({
    ...database.prepare("SELECT count(*) AS devices FROM devices").get(),
    sounds: await storedKeys(relay),
  });
  // The relay may still be processing an aborted call.
  await soon(left).toEqual({ devices: 0, sounds: [] });
}
