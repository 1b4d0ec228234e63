import { expect, test } from "vitest";
import { RunningRelay } from "../../../relay/running-relay.ts";
import { holdRelay, startFaultyRelay } from "./breaking-proxy.ts";
import { PUBLIC_FAULTS } from "./public-faults.ts";
import { PUBLIC_PACKAGE_FAULTS } from "./public-package-faults.ts";

test.for([...PUBLIC_FAULTS, ...PUBLIC_PACKAGE_FAULTS])(
  "[Q7][Q2] a run of the public specification alone names $rule: $what",
  async (fault) => {
    await using relay = await RunningRelay.start({ SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "10" });
    await using proxy = await startFaultyRelay(relay.url, fault);
    const { token } = await relay.register();
    const { json } = await relay.call("POST", "/importer/pairing-code", { token });
    const report = await holdRelay(relay, {
      url: proxy.url,
      only: ["public"],
      given: { code: json.code },
    });
    expect(report.broken_rules).toContain(fault.rule);
  },
);
