import { randomInt } from "node:crypto";
import { PAIRING_ALPHABET } from "../../../../core/protocol/pairing-code.ts";
import { countOf, inParallel, patiently } from "../../http-call.ts";
import { HeldConnections, settled, waitingOf } from "../../held-connections.ts";
import { letPass } from "../../real-time.ts";
import { address6, manifest, siteAddress, Stranger } from "../../stranger.ts";
import { type Attack, atLeast, atMost } from "../attack.ts";
import type { Attacked } from "../attacked-relay.ts";

// What gets a stranger in: codes and trust.

/** Start of the wide part of the guesses: each from a /48 of its own. */
const FIRST_SITE = 0x100;
/** Time that a guess waits for its answer. An attacker has no reason to wait longer. */
const PATIENCE_MS = 1500;

/** Guesses at pairing codes from one /48, then from many. */
export const guessedCodes: Attack = {
  name: "A1",
  title: "guessing pairing codes from many networks",
  promise:
    "One /48 gets 240 codes looked up an hour, one /32 300, and 900 more while the relay is attacked. " +
    "Then nobody pairs without a yes in the panel, and who has tries left still pairs.",
  run: async (stage) => {
    await using relay = await stage.openRelay();
    const [lucky, honest] = [await withCode(relay, 0x50), await withCode(relay, 0x60)];
    const before = await relay.hashedCodes();
    const fromSite = await guesses(relay, stage.isShort ? 1500 : 6000, (index) =>
      address6(index % 3000, 1),
    );
    const ofSite = (await relay.hashedCodes()) - before;
    const wide = await guesses(relay, 760, (index) => siteAddress(FIRST_SITE + index));
    const inAll = (await relay.hashedCodes()) - before;
    const atOnce = countOf([...fromSite, ...wide], 404);
    const thief = new Stranger(relay, { from: siteAddress(0x51) });
    const timeoutMs = stage.isShort ? 3000 : 30_000;
    const unseen = countOf([await thief.claim(lucky.code, { timeoutMs })], 200);
    const paired = countOf([await claimAndAllow(honest)], 200);
    return {
      what: "guesses",
      offered: fromSite.length + wide.length,
      leastOffered: 2000,
      accepted: inAll,
      measures: [
        atMost(240, ["looked up from one /48", ofSite, "codes"]),
        atMost(1200, ["looked up in all", inAll, "codes"]),
        atMost(310, ["answered wrong at once", atOnce, "codes"]),
        atMost(0, ["paired unseen by a lucky guess", unseen, "apps"]),
        atLeast(1, ["honest claims that paired", paired, "apps"]),
      ],
    };
  },
};

interface Waiting {
  readonly owner: Stranger;
  readonly code: string;
}

async function withCode(relay: Attacked, site: number): Promise<Waiting> {
  const owner = await Stranger.register(relay, siteAddress(site));
  return { owner, code: await owner.makeCode() };
}

/** Offers random codes. Lost connections are those that PATIENCE_MS ended. */
function guesses(relay: Attacked, count: number, fromOf: (index: number) => string) {
  const symbol = () => PAIRING_ALPHABET.charAt(randomInt(PAIRING_ALPHABET.length));
  return inParallel(count, 128, (index) => {
    const code = Array.from({ length: 6 }, symbol).join("");
    return new Stranger(relay, { from: fromOf(index) }).claim(code, { timeoutMs: PATIENCE_MS });
  });
}

/** Claims a code as its user does, who says yes as soon as the importer asks. */
async function claimAndAllow({ owner, code }: Waiting) {
  const over = new AbortController();
  const claiming = patiently(() => owner.claim(code), 40_000).finally(() => over.abort());
  const path = "/importer/pairing-request";
  while (!over.signal.aborted) {
    const asked = await owner.asImporter(path);
    const request = asked.json["request"] as { request_id?: string } | null | undefined;
    if (typeof request?.request_id === "string") {
      const body = { request_id: request.request_id, answer: "allow" };
      await owner.asImporter(path, { body });
    }
    await letPass(150);
  }
  return claiming;
}

const SLOTS = 16;
/** Share of every budget that is kept for the proven. */
const KEPT = 0.25;
const IMPORTS = 3;

/** Computers that register, pair and report imports within seconds. */
export const hastyTrust: Attack = {
  name: "A10",
  title: "registering, pairing and reporting, to look proven",
  promise:
    "Imports reported within a day prove nobody: all such computers together never get the quarter of a budget that is kept for the proven.",
  run: async (stage) => {
    await using relay = await stage.openRelay({ settings: { SOUNDFERRY_UPLOADS: String(SLOTS) } });
    const count = (stage.isShort ? 20 : 40) * relay.relays;
    const strangers = await inParallel(count, 4, (index) => Stranger.paired(relay, 1 + index));
    const reports = await inParallel(count * IMPORTS, 4, async (index) => {
      const stranger = strangers[index % count] as Stranger;
      return stranger.report(await stranger.send(), { "1": { status: "imported" } });
    });
    using held = new HeldConnections(relay);
    const uploads = await inParallel(count, 1, async (index) => {
      const stranger = strangers[index] as Stranger;
      const id = await stranger.announced(manifest(1, 1_000_000));
      const line = `PUT /packages/${id}/files/sound-1.wav`;
      return held.hold(stranger, { line, as: "app", bytes: 1_000_000, body: "RIFF" });
    });
    const slots = SLOTS * relay.relays;
    const running = await settled(() => waitingOf(uploads), slots * (1 - KEPT));
    return {
      what: "reported imports",
      offered: reports.length,
      leastOffered: count * IMPORTS,
      accepted: countOf(reports, 200),
      measures: [
        atMost(slots * (1 - KEPT), [
          `of ${slots} uploads at once, held by them`,
          running,
          "uploads",
        ]),
      ],
    };
  },
};
