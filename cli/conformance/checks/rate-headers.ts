import { randomUUID } from "node:crypto";
import type { Answer } from "../answer.ts";
import { assert, assertSame, assertStatus, show } from "../assert.ts";
import { LeftOut } from "../assertion-failure.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { LIMITS } from "../limits.ts";
import { manifestOf, smallSounds } from "../sounds.ts";
import { ownApp, readMe } from "./own-computer.ts";

/** Tries of a count: a minute that ends in between gives calls back. */
const TRIES = 2;
const UNKNOWN = `sfa_${"B".repeat(43)}`;

/** `RateLimit` and `RateLimit-Policy`, with an app of their own that nobody else calls with. */
export const RATE_CHECKS: readonly Check[] = [
  {
    id: "rate-limit-calls",
    rule: "L1",
    title: "a token has 600 calls a minute, and RateLimit counts each call down by one",
    isLong: true,
    run: async (kit) => {
      const { fresh } = await countedApp(kit);
      assertSame(limitOf(fresh, "calls"), LIMITS.callsPerMinute, "The limit in RateLimit-Policy");
      assertSame(windowOf(fresh, "calls"), 60, "Its seconds in RateLimit-Policy");
      const { callsPerMinute: most } = LIMITS;
      assertSame(leftOf(fresh, "calls"), most - 1, "r in the first answer to a token");
      await assertCountsDown(kit, (token) => readMe(kit, token), 1);
    },
  },
  {
    id: "rate-limit-refused-calls",
    rule: "L1",
    title: "a refused call counts as a call, and one with an unknown token costs nobody one",
    isLong: true,
    run: async (kit) => {
      const path = "/packages/pkg_none/status";
      await assertCountsDown(kit, (token) => kit.call("GET", path, { token }), 1);
      await assertCountsDown(
        kit,
        (token) => kit.call("POST", "/packages", { token, body: "[" }),
        1,
      );
      await assertCountsDown(kit, () => readMe(kit, UNKNOWN), 0);
    },
  },
  {
    id: "rate-limit-wait",
    rule: "S8",
    title: "a wait counts as one call, however long it lasts",
    isLong: true,
    run: waitCountsOnce,
  },
  {
    id: "rate-limit-packages",
    rule: "L1",
    title: "an app has 30 packages an hour; only a 201 that is no replay counts, also if withdrawn",
    isLong: true,
    run: async (kit) => {
      const { announced, replayed, refused, second, third } = await countedApp(kit);
      assertSame(limitOf(announced, "packages"), LIMITS.packagesPerHour, "Packages in the policy");
      assertSame(windowOf(announced, "packages"), 3600, "Seconds in the policy");
      const most = LIMITS.packagesPerHour;
      for (const [answer, left, what] of [
        [announced, most - 1, "the first package"],
        [replayed, most - 1, "its replay"],
        [refused, most - 1, "a refused manifest"],
        [second, most - 2, "a second package"],
        [third, most - 3, "a third, after the withdrawal of the second"],
      ] as const) {
        assertSame(leftOf(answer, "packages"), left, `r of packages after ${what}`);
      }
    },
  },
];

/** An app of its own, the first answer to it, and the answers to what it announced. */
function countedApp(kit: Kit) {
  return kit.share("counted app", async () => {
    const app = await ownApp(kit, "counted");
    const fresh = await readMe(kit, app.token);
    const [body, other] = ["one.wav", "two.wav"].map((file) =>
      JSON.stringify(manifestOf(smallSounds(file))),
    );
    const key = { "idempotency-key": randomUUID() };
    const announce = (sent = "", headers = {}) => kit.announce(app, sent, headers);
    const announced = await announce(body, key);
    const replayed = await announce(body, key);
    const refused = await announce("{}");
    const second = await announce(other);
    await kit.withdraw(kit.packageOf(app, [], second));
    const third = await announce(other);
    const { id } = kit.packageOf(app, [], announced);
    return { app, id, fresh, announced, replayed, refused, second, third };
  });
}

/** Checks by how much a call, between two others, counts RateLimit down. */
async function assertCountsDown(kit: Kit, call: TokenCall, wanted: number): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { before, answer, first, last } = await countedCall(kit, call);
    assertStatus(before, 200);
    if (first - last - 1 === wanted) return;
    const called = `${answer.asked} (${answer.status}) and one more call`;
    const counts = `r went from ${first} to ${last}; expected ${wanted + 1} fewer.`;
    assert(tries < TRIES, `${called}: ${counts}`);
  }
}

/** Compares a wait with a call that doesn't wait, however a relay counts that. */
async function waitCountsOnce(kit: Kit): Promise<void> {
  const { id, fresh } = await countedApp(kit);
  if (fresh.headers["ratelimit"] === undefined) throw new LeftOut("Its answers have no RateLimit.");
  const statusOf = (query: string) => (token: string) =>
    kit.call("GET", `/packages/${id}/status${query}`, { token });
  for (let tries = 1; ; tries += 1) {
    const plain = await countedCall(kit, statusOf(""));
    const waited = await countedCall(kit, statusOf("?wait=1"));
    const [one, other] = [plain, waited].map(({ first, last }) => first - last - 1);
    if (one === other) return;
    assert(tries < TRIES, `A wait counts as ${other} calls, and one that doesn't wait as ${one}.`);
  }
}

/** A call with that app's token. */
type TokenCall = (token: string) => Promise<Answer>;

/** Makes a call between two others, and reads what RateLimit says before and after it. */
async function countedCall(kit: Kit, call: TokenCall) {
  const { token } = (await countedApp(kit)).app;
  return kit.inTurn("counted", async () => {
    const before = await readMe(kit, token);
    const answer = await call(token);
    const after = await readMe(kit, token);
    return { before, answer, first: leftOf(before, "calls"), last: leftOf(after, "calls") };
  });
}

/** The rest of a limit, as RateLimit says. @throws {AssertionFailure} if it doesn't */
function leftOf({ headers, asked }: Answer, name: string): number {
  return numberIn(
    headers["ratelimit"],
    new RegExp(`"${name}";r=(\\d+);t=\\d+`),
    `${asked}: RateLimit`,
  );
}

function limitOf({ headers, asked }: Answer, name: string): number {
  const pattern = new RegExp(`"${name}";q=(\\d+);w=\\d+`);
  return numberIn(headers["ratelimit-policy"], pattern, `${asked}: RateLimit-Policy`);
}

function windowOf({ headers, asked }: Answer, name: string): number {
  const pattern = new RegExp(`"${name}";q=\\d+;w=(\\d+)`);
  return numberIn(headers["ratelimit-policy"], pattern, `${asked}: RateLimit-Policy`);
}

function numberIn(text: unknown, pattern: RegExp, what: string): number {
  const number = typeof text === "string" ? pattern.exec(text)?.[1] : undefined;
  assert(number !== undefined, `${what} is ${show(text)}; it should have ${pattern.source}.`);
  return Number(number);
}
