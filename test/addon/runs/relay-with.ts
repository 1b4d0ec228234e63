import type { RelayPort } from "../../../addon/relay/relay-port.ts";

/** The answer of a relay that gives a lease of five minutes. */
export const LEASE_ANSWER = { expires_at: "", expires_in: 300 };

/** A relay with the calls that a test expects; any other fails. */
export function relayWith(calls: Partial<RelayPort> = {}): RelayPort {
  const notExpected = () => Promise.reject(new Error("The test expects no such call."));
  return {
    relayUrl: "http://relay.test",
    take: notExpected,
    report: notExpected,
    openFile: notExpected,
    ...calls,
  };
}
