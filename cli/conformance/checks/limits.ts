import { assert, assertMatches, assertRefusal, assertSame, assertStatus } from "../assert.ts";
import { Inconclusive, LeftOut } from "../assertion-failure.ts";
import type { Check } from "../check.ts";
import type { Kit, TestApp, TestPackage } from "../kit.ts";
import { LIMITS } from "../limits.ts";
import { makeWav, manifestOf, smallSounds } from "../sounds.ts";
import type { Answer } from "../answer.ts";
import { openUpload } from "./uploads.ts";

const MINUTE_MS = 60_000;

/** Checks of a limit; each uses one up without waiting. */
export const LIMIT_CHECKS: readonly Check[] = [
  {
    id: "limit-uploads",
    rule: "L4",
    title: "a fifth upload at once of one app is 429, and another app of its computer uploads",
    needs: "limit",
    run: uploads,
  },
  {
    id: "limit-packages",
    rule: "L1",
    title: "the 31st package of an app within an hour is 429; refusals and replays do not count",
    spec: "8 30 packages per hour and app",
    needs: "limit",
    run: packages,
  },
  {
    id: "limit-packages-at-once",
    rule: "L3",
    title:
      "of 36 packages at once, each on a connection of its own, 30 are 201: one count holds for all",
    needs: "limit",
    run: packagesAtOnce,
  },
  {
    id: "limit-calls",
    rule: "L1",
    title: "600 calls of a token within a minute pass, and the 601st is 429 with Retry-After",
    spec: "7, 8: 600 calls per minute and token; 429 has Retry-After",
    needs: "limit",
    run: calls,
  },
  {
    id: "limit-tries",
    rule: "P6",
    title: "the 11th claim within a minute is 429, and one that is refused does not count",
    spec: "7, 8: 10 pairing tries per minute; 429 has Retry-After",
    needs: "limit",
    run: async (kit) => {
      const body = { code: "222222", app_name: "App", app_id: "app" };
      const claim = () => kit.wire.call("POST", "/pair/claim", { body });
      // Earlier checks have made tries.
      await kit.wait(MINUTE_MS);
      const refused = await untilRefused(claim, LIMITS.triesPerMinute, true);
      assertRefusal(refused, "TRIES_TOO_MANY");
      if (kit.contract === "public") return;
      const seconds = Number(refused.headers["retry-after"]);
      assert(seconds <= 60, `Retry-After is ${seconds}; a minute is the longest.`);
      for (let round = 0; round < LIMITS.triesPerMinute; round += 1) await claim();
      await kit.wait(seconds * 1000);
      assert((await claim()).status !== 429, "After Retry-After a try is still 429.");
    },
  },
];

/**
 * Calls until it is 429.
 * @param isExact false if others may have used up a part of the limit
 * @throws {AssertionFailure} unless so many calls pass, and the next is 429
 * @throws {Inconclusive} when they take more than a minute
 */
async function untilRefused(
  call: () => Promise<Answer>,
  limit: number,
  isExact: boolean,
): Promise<Answer> {
  const startedAt = performance.now();
  let passed = 0;
  let last = await call();
  for (; passed < limit && last.status !== 429; passed += 1) last = await call();
  // Later, the limit has room again.
  if (performance.now() - startedAt > MINUTE_MS)
    throw new Inconclusive(`The relay is too slow for ${limit + 1} such calls in a minute.`);
  assert(last.status === 429, `${limit + 1} in a row went through.`);
  assertMatches(last.headers["retry-after"], /^[1-9]\d*$/, "Retry-After");
  if (isExact) assertSame(passed, limit, "How many pass");
  return last;
}

async function freshApp(kit: Kit, name: string): Promise<TestApp> {
  return kit.inTurn("pairing", async () => kit.pair(await kit.device(), `Conformance ${name}`));
}

async function calls(kit: Kit): Promise<void> {
  const { token } = kit.hasImporter ? await freshApp(kit, "calls") : await kit.app();
  // A given app has made calls before; one whose token was given may make others meanwhile.
  if (!kit.hasImporter) await kit.wait(MINUTE_MS);
  const call = () => kit.wire.call("GET", "/app/me", { token });
  const refused = await untilRefused(call, LIMITS.callsPerMinute, kit.hasNewApps);
  assertRefusal(refused, "CALLS_TOO_MANY");
}

function bodyOf(title: string): object {
  return manifestOf(smallSounds("a.wav"), { title });
}

async function packages(kit: Kit): Promise<void> {
  if (!kit.hasImporter) return packagesOfGivenApp(kit);
  const app = await freshApp(kit, "limit");
  const announce = (title: string) =>
    kit.announce(app, JSON.stringify(bodyOf(title)), { "idempotency-key": title });
  for (let count = 0; count < LIMITS.packagesPerHour; count += 1) {
    assertStatus(await announce(`Package ${count}`), 201);
    if (count < 3) assertStatus(await announce(`Package ${count}`), 201);
    if (count < 3) assertStatus(await kit.announce(app, []), 422);
  }
  const { token } = app;
  const refused = await kit.wire.call("POST", "/packages", { token, body: bodyOf("One more") });
  assertRefusal(refused, "PACKAGES_TOO_MANY");
  assertStatus(await announce("Package 0"), 201);
}

/** A given app has announced packages before; one whose token was given also before this run. */
async function packagesOfGivenApp(kit: Kit): Promise<void> {
  const app = await kit.app();
  const { token } = app;
  const announce = async () => {
    const answer = await kit.wire.call("POST", "/packages", { token, body: bodyOf("One more") });
    kit.keep(answer, token);
    if (answer.status === 507) throw new LeftOut("The relay has no room for so many packages now.");
    return answer;
  };
  const left = LIMITS.packagesPerHour - kit.announcedBy(app);
  assertRefusal(await untilRefused(announce, left, kit.hasNewApps), "PACKAGES_TOO_MANY");
}

async function packagesAtOnce(kit: Kit): Promise<void> {
  const { token } = await freshApp(kit, "at once");
  const call = { token, body: bodyOf("At once"), isAlone: true };
  const answers = await Promise.all(
    Array.from({ length: LIMITS.packagesPerHour + 6 }, () =>
      kit.wire.call("POST", "/packages", call),
    ),
  );
  for (const answer of answers) kit.keep(answer, token);
  const made = answers.filter(({ status }) => status === 201).length;
  assertSame(made, LIMITS.packagesPerHour, "How many of 36 at once are 201");
}

async function uploads(kit: Kit): Promise<void> {
  const app = await freshApp(kit, "uploads");
  const uploading = async () => {
    const sounds = smallSounds("one.wav");
    return kit.packageOf(app, sounds, await kit.announce(app, manifestOf(sounds)));
  };
  const made: TestPackage[] = [];
  while (made.length < LIMITS.uploadsPerApp) made.push(await uploading());
  const fifth = await uploading();
  const running = made.map((one) => openUpload(kit, one));
  const wav = makeWav({ fill: 1 });
  try {
    for (const call of running) call.write(wav.subarray(0, 100));
    // Four answered calls later, each of the four uploads has begun.
    for (const one of made) await kit.status(one);
    const path = fifth.pathOf("one.wav");
    const refused = await kit.wire.call("PUT", path, { token: app.token, body: wav });
    assertRefusal(refused, "UPLOADS_TOO_MANY");
    await kit.uploaded();
  } finally {
    for (const call of running) {
      call.write(wav.subarray(100));
      call.end();
    }
    await Promise.all(running.map(({ answer }) => answer.catch(() => undefined)));
  }
}
