import { randomUUID } from "node:crypto";
import type { Answer } from "../answer.ts";
import { assert, assertRefusal, assertSame, assertStatus, listOf, partOf } from "../assert.ts";
import { Inconclusive } from "../assertion-failure.ts";
import type { Check } from "../check.ts";
import type { Kit, TestDevice } from "../kit.ts";
import { textOf } from "../session.ts";
import { announcedBy, inPairingTurn, ownComputer, readMe, TOKEN_NUMBERS } from "./own-computer.ts";
import { beginWait, dueAnswer, onceRevoked, settled } from "./waking.ts";

/** An app that pairs eleven times with one computer. */
interface ElevenTokens {
  readonly appId: string;
  readonly device: TestDevice;
  /** The answers to the claims, and to `GET /app/me` after them with the token of each. */
  readonly claims: readonly Answer[];
  readonly mes: readonly Answer[];
  /** The app's entries in the list of apps. */
  readonly listed: readonly unknown[];
}

/** The user unpairs that app. */
interface AllUnpaired {
  readonly unpaired: Answer;
  /** The answer to a status call that waited. */
  readonly woken: () => Answer;
  /** The answers to `GET /app/me` after that with every token. */
  readonly mesAfter: readonly Answer[];
}

/** An app's tokens: how many there are, and what revokes them all. */
export const ELEVEN_TOKENS_CHECKS: readonly Check[] = [
  {
    id: "tokens-eleven",
    rule: "P5",
    title: "an app has ten tokens: the eleventh pairing drops the oldest, and the others stay",
    isLong: true,
    run: async (kit) => {
      const { claims, mes } = await elevenTokens(kit);
      for (const claim of claims) assertStatus(claim, 200);
      const [oldest, ...others] = mes;
      for (const [at, me] of others.entries()) {
        assert(me.status === 200, `Token ${at + 2} of 11 is answered ${me.status}; expected 200.`);
      }
      assert(
        oldest?.status === 401,
        `The oldest of 11 is answered ${oldest?.status}; expected 401.`,
      );
      assertRefusal(oldest, "TOKEN_UNKNOWN");
    },
  },
  {
    id: "tokens-listed-once",
    rule: "P5",
    title: "an app that paired eleven times is listed once, by its newest name",
    isLong: true,
    run: async (kit) => {
      const names = (await elevenTokens(kit)).listed.map((app) => partOf(app, "app_name"));
      assertSame(names, ["Conformance 11"], "Its names");
    },
  },
  {
    id: "unpair-all-tokens",
    rule: "P5",
    title: "unpairing by the user revokes all tokens of the app",
    isLong: true,
    run: async (kit) => {
      const { unpaired, mesAfter } = await allUnpaired(kit);
      assertStatus(unpaired, 200);
      for (const me of mesAfter) assertRefusal(me, "TOKEN_UNKNOWN");
    },
  },
  {
    id: "wait-unpaired-by-user",
    rule: "S8",
    title: "unpairing by the user ends a wait at once, with 401",
    isLong: true,
    run: async (kit) => assertRefusal((await allUnpaired(kit)).woken(), "TOKEN_UNKNOWN"),
  },
];

/** Runs once for all its checks. */
function elevenTokens(kit: Kit): Promise<ElevenTokens> {
  return kit.share("eleven tokens", async () => {
    const device = await ownComputer(kit);
    const appId = `conformance-${randomUUID()}`;
    const claims = await inPairingTurn(kit, async () => {
      const answers: Answer[] = [];
      for (const number of TOKEN_NUMBERS) {
        const body = {
          code: await kit.code(device),
          app_name: `Conformance ${number}`,
          app_id: appId,
        };
        answers.push(await kit.claim(body, device));
        // The first name is read, too: it must not stay.
        if (number === 1) await kit.call("GET", "/importer/apps", { token: device.token });
      }
      return answers;
    });
    const tokens = claims.map((claim) => String(partOf(claim.json, "app_token")));
    const [oldest = "", ...others] = tokens;
    const mes = [
      await onceRevoked(kit, () => readMe(kit, oldest)),
      ...(await Promise.all(others.map((token) => readMe(kit, token)))),
    ];
    const listed = await kit.call("GET", "/importer/apps", { token: device.token });
    const own = listOf(listed.json, "apps").filter((app) =>
      /^Conformance \d+$/.test(String(partOf(app, "app_name"))),
    );
    return { appId, device, claims, mes, listed: own };
  });
}

/** Runs once for all its checks, with the newest of the tokens that are valid. */
function allUnpaired(kit: Kit): Promise<AllUnpaired> {
  return kit.share("all unpaired", async () => {
    const { appId, device, claims, mes, listed } = await elevenTokens(kit);
    const claimed = claims.findLast((_, at) => mes[at]?.status === 200);
    if (claimed === undefined) throw new Inconclusive("None of the app's tokens is valid.");
    const app = { token: textOf(claimed, "app_token"), appId, device, claimed };
    const waiting = await beginWait(kit, await announcedBy(kit, app), "?wait=30");
    const { token } = device;
    const id = String(partOf(listed[0], "pairing_id"));
    const unpaired = await kit.call("DELETE", `/importer/apps/${id}`, { token });
    return {
      unpaired,
      woken: await settled(dueAnswer(kit, waiting)),
      mesAfter: await Promise.all(
        claims.map((claim) =>
          onceRevoked(kit, () => readMe(kit, String(partOf(claim.json, "app_token")))),
        ),
      ),
    };
  });
}
