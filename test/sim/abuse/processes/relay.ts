import { DatabaseSync } from "node:sqlite";
import { buildRelay } from "../../../../relay/build-relay.ts";
import type { Context } from "../../../../relay/domain/context.ts";
import { all } from "../../../../relay/domain/upkeep/batches.ts";
import { sweep } from "../../../../relay/domain/upkeep/sweep.ts";
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
let context: Context | undefined;
/** The calls that reach the service. */
const SOUND_CALLS = ["create", "open", "sizes", "delete", "quarantine", "resume", "readInstance"];

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
    context = relay.context;
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
  left: async ({ sweeps }: { readonly sweeps: boolean }) => {
    if (context === undefined) throw new Error("The relay doesn't run.");
    if (sweeps) await sweep(context);
    const { soundKeys, sounds } = context;
    const limit = 1000;
    const doomed = await soundKeys.list({ state: "doomed", limit });
    const pending = await soundKeys.list({
      state: "pending",
      endedBy: Number.MAX_SAFE_INTEGER,
      limit,
    });
    return doomed.length + pending.length + (await all(sounds.list())).length;
  },
  interruptSounds: ({ isSilent }: { readonly isSilent: boolean }) => {
    if (context === undefined) throw new Error("The relay doesn't run.");
    for (const call of SOUND_CALLS) {
      if (isSilent) Object.assign(context.sounds, { [call]: () => new Promise(() => {}) });
      else Reflect.deleteProperty(context.sounds, call);
    }
  },
};
export type AttackedCalls = typeof attackedCalls;

answerCalls(attackedCalls);
