import { assert, assertMatches, assertRefusal, assertSame, assertStatus } from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit, TestApp, TestPackage } from "../kit.ts";
import { makeWav, manifestOf, smallSounds } from "../sounds.ts";
import type { Answer } from "../answer.ts";
import { openUpload } from "./uploads.ts";

/** The contract's defaults. */
const CALLS_PER_MINUTE = 600;
const PACKAGES_PER_HOUR = 30;
const TRIES_PER_MINUTE = 10;
const UPLOADS_AT_ONCE = 4;

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
    title: "the 601st call of a token within a minute is 429",
    needs: "limit",
    run: async (kit) => {
      const { token } = await freshApp(kit, "calls");
      const call = () => kit.wire.call("GET", "/app/me", { token });
      assertRefusal(await untilRefused(call, CALLS_PER_MINUTE), "CALLS_TOO_MANY");
    },
  },
  {
    id: "limit-tries",
    rule: "P6",
    title: "the 11th claim within a minute is 429, and one that is refused does not count",
    needs: "limit",
    run: async (kit) => {
      const body = { code: "222222", app_name: "App", app_id: "app" };
      const claim = () => kit.wire.call("POST", "/pair/claim", { body });
      const refused = await untilRefused(claim, TRIES_PER_MINUTE);
      assertRefusal(refused, "TRIES_TOO_MANY");
      const seconds = Number(refused.headers["retry-after"]);
      assert(seconds <= 60, `Retry-After is ${seconds}; a minute is the longest.`);
      for (let round = 0; round < TRIES_PER_MINUTE; round += 1) await claim();
      await kit.wait(seconds * 1000);
      assert((await claim()).status !== 429, "After Retry-After a try is still 429.");
    },
  },
];

/** @throws {AssertionFailure} unless one of limit + 1 calls is 429 */
async function untilRefused(call: () => Promise<Answer>, limit: number): Promise<Answer> {
  let last = await call();
  for (let count = 1; count <= limit && last.status !== 429; count += 1) last = await call();
  assert(last.status === 429, `${limit + 1} in a row went through.`);
  assertMatches(last.headers["retry-after"], /^[1-9]\d*$/, "Retry-After");
  return last;
}

async function freshApp(kit: Kit, name: string): Promise<TestApp> {
  return kit.inTurn("pairing", async () => kit.pair(await kit.device(), `Conformance ${name}`));
}

function bodyOf(title: string): object {
  return manifestOf(smallSounds("a.wav"), { title });
}

async function packages(kit: Kit): Promise<void> {
  const app = await freshApp(kit, "limit");
  const announce = (title: string) =>
    kit.announce(app, JSON.stringify(bodyOf(title)), { "idempotency-key": title });
  for (let count = 0; count < PACKAGES_PER_HOUR; count += 1) {
    assertStatus(await announce(`Package ${count}`), 201);
    if (count < 3) assertStatus(await announce(`Package ${count}`), 201);
    if (count < 3) assertStatus(await kit.announce(app, []), 422);
  }
  const { token } = app;
  const refused = await kit.wire.call("POST", "/packages", { token, body: bodyOf("One more") });
  assertRefusal(refused, "PACKAGES_TOO_MANY");
  assertStatus(await announce("Package 0"), 201);
}

async function packagesAtOnce(kit: Kit): Promise<void> {
  const { token } = await freshApp(kit, "at once");
  const call = { token, body: bodyOf("At once"), isAlone: true };
  const answers = await Promise.all(
    Array.from({ length: PACKAGES_PER_HOUR + 6 }, () => kit.wire.call("POST", "/packages", call)),
  );
  for (const answer of answers) kit.keep(answer, token);
  const made = answers.filter(({ status }) => status === 201).length;
  assertSame(made, PACKAGES_PER_HOUR, "How many of 36 at once are 201");
}

async function uploads(kit: Kit): Promise<void> {
  const app = await freshApp(kit, "uploads");
  const uploading = async () => {
    const sounds = smallSounds("one.wav");
    return kit.packageOf(app, sounds, await kit.announce(app, manifestOf(sounds)));
  };
  const made: TestPackage[] = [];
  while (made.length < UPLOADS_AT_ONCE) made.push(await uploading());
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
