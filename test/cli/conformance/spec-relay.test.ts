import { expect, test } from "vitest";
import { holdSpecRelay } from "./hold-spec-relay.ts";
import { ANNOUNCE } from "./spec-relay/fault.ts";
import { startSpecRelay } from "./spec-relay.ts";

/** The most packages of a run; an app may announce 30 in an hour. */
const MOST_PACKAGES = 24;
const READINGS = [
  { given: "code", rangesRefuse: true },
  { given: "code", rangesRefuse: false },
  { given: "token", rangesRefuse: true },
] as const;

test.for(READINGS)(
  "[Q7] a relay written from the specification alone keeps it, by $given; values out of range refused: $rangesRefuse",
  async ({ given, rangesRefuse }) => {
    let packages = 0;
    await using relay = await startSpecRelay({ rangesRefuse }, (next) => async (call) => {
      const reply = await next(call);
      if (ANNOUNCE(call) && reply.status === 201) packages += 1;
      return reply;
    });
    const code = relay.codeFor("Studio of Åsa");
    const report = await holdSpecRelay(
      relay,
      given === "code" ? { code } : { token: await claim(relay.url, code) },
    );
    expect(packages).toBeLessThanOrEqual(MOST_PACKAGES);
    expect(report.checks.filter(({ outcome }) => !/passed|skipped/.test(outcome))).toEqual([]);
    expect(report).toMatchObject({ contract: "public", is_part: false, keeps_the_contract: true });
    expect(report.passed).toBeGreaterThan(report.skipped);
  },
);

async function claim(url: string, code: string): Promise<string> {
  const body = JSON.stringify({ code, app_name: "Beats", app_id: "beats-1" });
  const answer = await fetch(`${url}/pair/claim`, { method: "POST", body });
  return ((await answer.json()) as { app_token: string }).app_token;
}
