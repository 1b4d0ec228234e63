import { expect } from "vitest";
import { fetchAnswer } from "../../../sim/world.ts";
import { relayInLan } from "./lan-relay.ts";

/** Ways in which a device in the network may try to be somebody else, or to pair twice. */
const TRICKS: readonly Readonly<Record<string, string>>[] = [
  {},
  { "x-forwarded-for": "127.0.0.1" },
  { "x-forwarded-for": "::ffff:127.0.0.1", "x-real-ip": "127.0.0.1" },
  { forwarded: "for=127.0.0.1", via: "1.1 localhost" },
  { "idempotency-key": "one key for all" },
  { origin: "http://127.0.0.1" },
];

const ENDLESS = "1000000";
/** Limits that stop nobody: the yes alone has to. */
const WITHOUT_LIMITS = {
  SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: ENDLESS,
  SOUNDFERRY_PAIRING_TRIES_PER_HOUR: ENDLESS,
  SOUNDFERRY_PAIRING_TRIES_PER_NETWORK: ENDLESS,
  SOUNDFERRY_PAIRING_TRIES_PER_56: ENDLESS,
  SOUNDFERRY_PAIRING_TRIES_OF_ALL: ENDLESS,
  SOUNDFERRY_TRUST_PROXY: "127.0.0.0/8",
};
/** Claims that wait at once, as many as an address may have. */
const AT_ONCE = 8;

/** Claims the right code many times, also at once and in every way, while nobody says yes. */
export async function claimWithoutYes(tries: number): Promise<void> {
  const { relay, url } = await relayInLan(WITHOUT_LIMITS, { consentWaitMs: 2 });
  const { token } = await relay.register();
  const statuses = new Set<number>();
  let tried = 0;
  while (tried < tries) {
    const { json } = await relay.call("POST", "/importer/pairing-code", { token });
    for (const headers of TRICKS.flatMap((trick) => [trick, trick])) {
      const claims = Array.from({ length: AT_ONCE }, (_, index) => {
        const code = index % 2 === 0 ? json.code : ` ${String(json.code).toLowerCase()} `;
        const body = { code, app_name: "Looper", app_id: `app-${index % 3}` };
        return fetchAnswer(`${url}/pair/claim`, { method: "POST", body, headers });
      });
      for (const { status } of await Promise.all(claims)) statuses.add(status);
      tried += AT_ONCE;
    }
  }
  expect([...statuses]).toEqual([404]);
  const { json } = await relay.call("GET", "/importer/apps", { token });
  expect(json.apps).toEqual([]);
}
