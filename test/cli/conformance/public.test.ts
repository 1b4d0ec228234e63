import { expect, test } from "vitest";
import { RunningRelay } from "../../relay/running-relay.ts";
import { holdRelay } from "./faults/breaking-proxy.ts";
import { startPlainRelay } from "./plain-relay.ts";

test("[Q7] a relay that knows only the public specification keeps it: nothing fails, nothing is inconclusive", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "10" });
  await using plain = await startPlainRelay(relay.url);
  const { token } = await relay.register();
  const { json } = await relay.call("POST", "/importer/pairing-code", { token });
  const report = await holdRelay(relay, {
    url: plain.url,
    only: ["public"],
    given: { code: json.code },
  });
  expect(report.checks.filter(({ outcome }) => !/passed|skipped/.test(outcome))).toEqual([]);
  expect(report).toMatchObject({ contract: "public", is_part: false, keeps_the_contract: true });
});
