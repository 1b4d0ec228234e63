import { randomUUID } from "node:crypto";
import type { Answer } from "../answer.ts";
import { assert, assertSame, assertStatus, show } from "../assert.ts";
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
    run: async (kit) => {
      const { id } = await countedApp(kit);
      const path = `/packages/${id}/status?wait=1`;
      await assertCountsDown(kit, (token) => kit.call("GET", path, { token }), 1);
    },
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
async function assertCountsDown(
  kit: Kit,
  call: (token: string) => Promise<Answer>,
  wanted: number,
): Promise<void> {
  const { app } = await countedApp(kit);
  await kit.inTurn("counted", async () => {
    for (let tries = 1; ; tries += 1) {
      const before = await readMe(kit, app.token);
      assertStatus(before, 200);
      const { asked, status } = await call(app.token);
      const [first, last] = [
        leftOf(before, "calls"),
        leftOf(await readMe(kit, app.token), "calls"),
      ];
      const down = first - last - 1;
      if (down === wanted) return;
      const counts = `r went from ${first} to ${last}`;
      assert(
        tries < TRIES,
        `${asked} (${status}) and one more call: ${counts}; expected ${wanted + 1} fewer.`,
      );
    }
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
