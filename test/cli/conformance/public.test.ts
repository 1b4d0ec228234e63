import { expect, test } from "vitest";
import { RunningRelay } from "../../relay/running-relay.ts";
import { holdRelay } from "./faults/breaking-proxy.ts";
import { PLAIN_SHAPES, startPlainRelay } from "./plain-relay.ts";

test.for(Object.entries(PLAIN_SHAPES))(
  "[Q7] a %s relay that knows only the public specification keeps it: nothing fails, nothing is inconclusive",
  async ([, shape]) => {
    await using relay = await RunningRelay.start({ SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "10" });
    await using plain = await startPlainRelay(relay.url, shape);
    const { token } = await relay.register();
    const { json } = await relay.call("POST", "/importer/pairing-code", { token });
    const report = await holdRelay(relay, {
      url: plain.url,
      only: ["public"],
      given: { code: json.code },
    });
    expect(report.checks.filter(({ outcome }) => !/passed|skipped/.test(outcome))).toEqual([]);
    expect(report).toMatchObject({ contract: "public", is_part: false, keeps_the_contract: true });
  },
);
