import { expect } from "vitest";
import type { Report } from "../../../cli/conformance/report.ts";
import type { RunOptions } from "../../../cli/conformance/run-checks.ts";
import type { RunningRelay } from "../../relay/running-relay.ts";
import { holdRelay } from "./faults/breaking-proxy.ts";
import { PLAIN_SHAPES, startPlainRelay } from "./plain-relay.ts";

/** Runs the kit's public part by the address of a relay, or of something in front of it. */
export function tryPublic(relay: RunningRelay, url: string, given: RunOptions["given"]) {
  return holdRelay(relay, { url, only: ["public"], given });
}

/** Runs it against a relay of this shape that knows only the public specification. */
export async function tryPlain(
  relay: RunningRelay,
  shape: keyof typeof PLAIN_SHAPES,
): Promise<Report> {
  await using plain = await startPlainRelay(relay.url, PLAIN_SHAPES[shape]);
  return await tryPublic(relay, plain.url, { code: await codeOf(relay) });
}

/** Expects that nothing failed, and nothing was inconclusive. */
export function expectKept(report: Report): void {
  expect(report.checks.filter(({ outcome }) => !/passed|skipped/.test(outcome))).toEqual([]);
  expect(report).toMatchObject({ contract: "public", is_part: false, keeps_the_contract: true });
}

/** A pairing code of a new computer. */
export async function codeOf(relay: RunningRelay): Promise<string> {
  const { token } = await relay.register();
  return (await relay.call("POST", "/importer/pairing-code", { token })).json.code;
}
