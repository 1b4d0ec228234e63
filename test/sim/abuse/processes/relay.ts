import { buildRelay } from "../../../../relay/build-relay.ts";
import { readRelaySettings } from "../../../../relay/settings.ts";
import { systemDigest } from "../../../../relay/storage/system.ts";
import { relayPages } from "../../../../cli/pages.ts";
import { answerCalls } from "../../../bench/processes/answer-calls.ts";

/** The form of a pairing code before it is hashed: a relay can't look one up without hashing it. */
const CODE = /^[0-9A-Z]{6}$/;
let hashedCodes = 0;

const digest = {
  ...systemDigest,
  ofText: (text: string) => {
    if (CODE.test(text)) hashedCodes += 1;
    return systemDigest.ofText(text);
  },
};

interface Start {
  readonly flags: Readonly<Record<string, string>>;
  readonly diskBytes?: number | undefined;
}

/** The relay as shipped, which counts the pairing codes that it looks up. */
export const attackedCalls = {
  start: async ({ flags, diskBytes }: Start) => {
    const settings = readRelaySettings({ flags, environment: {} });
    const relay = await buildRelay(settings, { ports: { digest }, pages: relayPages });
    if (diskBytes !== undefined) relay.context.sounds.room = async () => diskBytes;
    return relay.listen();
  },
  /** Codes made and codes looked up so far. */
  hashedCodes: () => hashedCodes,
};
export type AttackedCalls = typeof attackedCalls;

answerCalls(attackedCalls);
