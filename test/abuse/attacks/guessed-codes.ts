import { randomInt } from "node:crypto";
import { PAIRING_ALPHABET } from "../../../core/protocol/pairing-code.ts";
import type { Attacked } from "../attacked-relay.ts";
import type { Attack, Outcome, Stage } from "../attack.ts";
import { countOf, httpCall, inParallel, patiently } from "../http-call.ts";
import { address6, claim, makeCode, register, siteAddress } from "../strangers.ts";

/** Where the wide part of the guesses begins: each from a /48 of its own. */
const FIRST_SITE = 0x100;
/** How long a guess waits for its answer. An attacker has no reason to wait longer. */
const PATIENCE_MS = 1500;
const LUCKY_SITE = 0x50;
const HONEST_SITE = 0x60;

/** A1: guesses at pairing codes from one /48, then from many. */
export const guessedCodes: Attack = {
  name: "A1",
  title: "guessing pairing codes from many networks",
  promise:
    "One /48 gets 240 codes looked up an hour, everyone together 600, and 600 more while the relay is attacked. " +
    "Then nobody pairs without a yes in the panel, and who has tries left still pairs.",
  run: guess,
};

async function guess(stage: Stage): Promise<Outcome> {
  await using relay = await stage.openRelay();
  const lucky = await registerWithCode(relay, siteAddress(LUCKY_SITE));
  const honest = await registerWithCode(relay, siteAddress(HONEST_SITE));

  const beforeSite = await lookups(relay);
  const fromSite = await guesses(relay, stage.isShort ? 1500 : 6000, (index) =>
    address6(index % 3000, 1),
  );
  const ofSite = (await lookups(relay)) - beforeSite;
  const wide = await guesses(relay, 760, (index) => siteAddress(FIRST_SITE + index));
  const inAll = (await lookups(relay)) - beforeSite;
  const answeredAtOnce = countOf([...fromSite, ...wide], 404);

  const luckyClaim = await claim(relay, lucky.code, siteAddress(0x51), {
    timeoutMs: stage.isShort ? 3000 : 30_000,
  });
  const honestClaim = await claimAndAllow(relay, honest);
  const offered = fromSite.length + wide.length;
  return {
    what: "guesses",
    offered,
    leastOffered: 2000,
    accepted: inAll,
    measures: [
      { name: "looked up from one /48", value: ofSite, unit: "codes", atMost: 240 },
      { name: "looked up in all", value: inAll, unit: "codes", atMost: 1200 },
      { name: "answered wrong at once", value: answeredAtOnce, unit: "codes", atMost: 600 },
      {
        name: "paired unseen by a lucky guess",
        value: countOf([luckyClaim], 200),
        unit: "apps",
        atMost: 0,
      },
      {
        name: "honest claims that paired",
        value: countOf([honestClaim], 200),
        unit: "apps",
        atLeast: 1,
      },
    ],
  };
}

interface Waiting {
  readonly importerToken: string;
  readonly code: string;
  readonly from: string;
}

async function registerWithCode(relay: Attacked, from: string): Promise<Waiting> {
  const { importerToken } = await register(relay, from);
  return { importerToken, code: await makeCode(relay, importerToken, from), from };
}

function lookups(relay: Attacked): Promise<number> {
  return relay.hashedCodes();
}

/** Offers random codes. Lost connections are those that PATIENCE_MS ended. */
function guesses(relay: Attacked, count: number, fromOf: (index: number) => string) {
  return inParallel(count, 128, (index) =>
    claim(relay, randomCode(), fromOf(index), { timeoutMs: PATIENCE_MS }),
  );
}

function randomCode(): string {
  const symbol = () => PAIRING_ALPHABET.charAt(randomInt(PAIRING_ALPHABET.length));
  return Array.from({ length: 6 }, symbol).join("");
}

/** Claims a code as its user does, who says yes as soon as the importer asks. */
async function claimAndAllow(relay: Attacked, { importerToken, code, from }: Waiting) {
  const over = new AbortController();
  const claiming = patiently(() => claim(relay, code, from), { withinMs: 40_000 }).finally(() =>
    over.abort(),
  );
  const path = "/importer/pairing-request";
  while (!over.signal.aborted) {
    const asked = await httpCall(relay, { path, token: importerToken, from });
    const request = asked.json["request"] as { request_id?: string } | null | undefined;
    if (typeof request?.request_id === "string") {
      const body = { request_id: request.request_id, answer: "allow" };
      await httpCall(relay, { path, token: importerToken, from, body });
    }
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  return claiming;
}
