import { expect, test } from "vitest";
import { RunningRelay } from "../../../relay/running-relay.ts";
import { BLIND_FAULTS } from "./all-blind-faults.ts";
import { type Fault, holdRelay, SHORT_WINDOWS, startFaultyRelay } from "./breaking-proxy.ts";

/** `BLIND_SKIP=id,id` leaves checks out; `BLIND_PART=2/4` runs every fourth fault from the second on. */
const SKIPPED = (process.env["BLIND_SKIP"] ?? "socket-pings").split(",");
const [PART = 1, PARTS = 1] = (process.env["BLIND_PART"] ?? "1/1").split("/").map(Number);

/** A proxy that only holds bodies back breaks what a relay does before it has them. */
const HOLDING: Fault = { rule: "none", what: "bodies held back", seesBody: true };

async function measure({ rule, what, needs, ...fault }: Fault): Promise<readonly string[]> {
  await using relay = await RunningRelay.start({
    SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "10",
    ...(needs === "time" && SHORT_WINDOWS),
  });
  await using proxy = await startFaultyRelay(relay.url, { rule, what, ...fault });
  const began = Date.now();
  const { broken_rules: broken } = await holdRelay(relay, {
    url: proxy.url,
    skip: SKIPPED,
    needs: new Set(needs === undefined ? [] : [needs]),
  });
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  const verdict = broken.includes(rule) ? "named" : "MISSED";
  const others = broken.filter((name) => name !== rule).join(" ") || "-";
  process.stdout.write(`BLIND\t${verdict}\t${rule}\t${what}\t${others}\t${seconds} s\n`);
  return broken;
}

test("[Q2] a proxy that holds bodies back breaks no rule of a manifest", async () => {
  expect(await measure(HOLDING)).not.toContain("M3");
});

test.for(BLIND_FAULTS.filter((_, index) => index % PARTS === PART - 1))(
  "[Q2] a blindly planted fault is named: $rule, $what",
  async (fault) => {
    expect(await measure(fault)).toContain(fault.rule);
  },
);
