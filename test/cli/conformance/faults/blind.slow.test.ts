import { expect, test } from "vitest";
import { RunningRelay } from "../../../relay/running-relay.ts";
import { BLIND_FAULTS } from "./all-blind-faults.ts";
import { type Fault, holdRelay, SHORT_WINDOWS, startFaultyRelay } from "./breaking-proxy.ts";

// Each fault takes the whole kit, so they run only where `BLIND_PART` asks for them: `1/1` for all, `2/4` for every fourth
// from the second on. `BLIND_SKIP=id,id` leaves checks out.
const SKIPPED = (process.env["BLIND_SKIP"] ?? "socket-pings").split(",");
const [PART = 0, PARTS = 1] = (process.env["BLIND_PART"] ?? "").split("/").map(Number);

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

test("[Q2] each blindly planted fault has a sentence of its own", () => {
  expect(new Set(BLIND_FAULTS.map(({ what }) => what)).size).toBe(BLIND_FAULTS.length);
});

test.for(PART === 1 ? [HOLDING] : [])("[Q2] no rule is broken: $what", async (fault) => {
  expect(await measure(fault)).toEqual([]);
});

test.for(BLIND_FAULTS.filter((_, index) => index % PARTS === PART - 1))(
  "[Q2] a blindly planted fault is named: $rule, $what",
  async (fault) => {
    expect(await measure(fault)).toContain(fault.rule);
  },
);
