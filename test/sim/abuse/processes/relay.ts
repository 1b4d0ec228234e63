import { DatabaseSync } from "node:sqlite";
import { buildRelay } from "../../../../relay/build-relay.ts";
import { readRelaySettings } from "../../../../relay/settings.ts";
import { systemDigest } from "../../../../relay/storage/system.ts";
import { relayPages } from "../../../../cli/pages.ts";
import { databasePathIn } from "../../../../relay/storage/sqlite/open-database.ts";
import { answerCalls } from "../../../bench/processes/answer-calls.ts";
import type { StoredRows } from "../attacked-relay.ts";

const STORED = `SELECT (SELECT count(*) FROM received) AS received,
  (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS bytes`;

/** The form of a pairing code before it is hashed: a relay can't look one up without hashing it. */
const CODE = /^[0-9A-Z]{6}$/;
let hashedCodes = 0;
let databasePath = "";

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
    databasePath = databasePathIn(flags["SOUNDFERRY_DATA"] ?? "");
    const relay = await buildRelay(settings, { ports: { digest }, pages: relayPages });
    if (diskBytes !== undefined) relay.context.sounds.room = async () => diskBytes;
    return relay.listen();
  },
  /** Codes made and codes looked up so far. */
  hashedCodes: () => hashedCodes,
  storedRows: (): StoredRows => {
    using database = new DatabaseSync(databasePath, { readOnly: true });
    const { received, bytes } = database.prepare(STORED).get() ?? {};
    return { received: Number(received), bytes: Number(bytes) };
  },
};
export type AttackedCalls = typeof attackedCalls;

answerCalls(attackedCalls);
