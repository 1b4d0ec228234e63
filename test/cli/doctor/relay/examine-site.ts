import type { Finding } from "../../../../cli/doctor/finding.ts";
import { examineRelay, type RelayExamination } from "../../../../cli/doctor/relay/examine-relay.ts";
import type { RunningRelay } from "../../../relay/running-relay.ts";
import { storedKeys } from "../../../relay/http/stored-keys.ts";

/** Silent for as long as a test can wait. The relay's pings come later. */
export const BRIEF = { answerMs: 3000, openSeconds: 0.5, pings: 0 } as const;

/** Examines what is at an address. */
export function examineSite(
  url: string,
  options: Partial<RelayExamination> = {},
): Promise<readonly Finding[]> {
  return examineRelay({
    url,
    waits: BRIEF,
    registrationKey: undefined,
    say: () => {},
    signal: new AbortController().signal,
    ...options,
  });
}

/** Lists the findings that aren't ok, such as `upload-limit wrong`. */
export function troublesIn(findings: readonly Finding[]): readonly string[] {
  return findings
    .filter(({ state }) => state !== "ok")
    .map(({ check, state }) => `${check} ${state}`);
}

/** Lists the ids of devices and the keys of sounds that a relay still has. An upload that was cut off goes a moment later. */
export async function leftAt(relay: RunningRelay): Promise<readonly string[]> {
  const { pairings } = relay.relay.context;
  const devices = await pairings.listDevicesUnseenSince(Number.MAX_SAFE_INTEGER);
  return [...devices, ...(await storedKeys(relay))];
}
