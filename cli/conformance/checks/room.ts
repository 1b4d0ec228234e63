import { LIMITS } from "../limits.ts";
import { assertMatches, assertRefusal, assertSame, assertStatus, partOf } from "../assert.ts";
import type { Answer } from "../answer.ts";
import { Inconclusive } from "../assertion-failure.ts";
import type { Check } from "../check.ts";
import type { Kit, TestApp, TestPackage } from "../kit.ts";
import { itemOf, manifestOf, smallSounds } from "../sounds.ts";

/** Packages of 200 MB that an app can reserve room for. */
const LARGE_PACKAGES = 2;
/** Packages that can wait for a computer. A relay may keep some of these places for other apps (rule L11). */
const MOST_WAITING = 200;
const LEAST_WAITING = 83;
/** Announcements per app; the contract allows 30 an hour. */
const PACKAGES_PER_APP = 29;
/** Packages sent at once; a computer may have four uploads at once. */
const CONCURRENCY = 3;

const SOUNDS = smallSounds("one.wav");
const ITEMS_BYTES = SOUNDS.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
/** Announced but never sent. */
const REST = { file: "rest.wav", bytes: LIMITS.packageBytes - ITEMS_BYTES, sha256: "0".repeat(64) };
const SMALL = manifestOf(SOUNDS);
const LARGE = manifestOf(SOUNDS, { items: [...SOUNDS.map((sound) => itemOf(sound)), REST] });

/** The room of a computer. Only a few bytes of the large packages are ever sent. */
export const ROOM_CHECKS: readonly Check[] = [
  {
    id: "room-is-reserved",
    rule: "U6",
    title: "when another package is 507, packages announced before can still be sent",
    needs: "limit",
    run: async (kit) => {
      const { made, refused } = await fullComputer(kit);
      assertStatus(refused, 507);
      for (const one of made) {
        for (const sound of SOUNDS) assertStatus(await kit.put(one, sound), 200);
      }
    },
  },
  {
    id: "limit-reserved",
    rule: "U9",
    title: "an app reserves room for two largest packages; withdrawing one makes room",
    needs: "limit",
    run: async (kit) => {
      const { app, made, refused } = await fullComputer(kit);
      assertRefusal(refused, "UPLOADS_UNFINISHED");
      assertMatches(refused.headers["retry-after"], /^[1-9]\d*$/, "Retry-After");
      assertSame(made.length, LARGE_PACKAGES, "How many packages of 200 MB are taken");
      for (const one of made.slice(0, 1)) assertStatus(await kit.withdraw(one), 200);
      assertStatus(await kit.announce(app, LARGE), 201);
    },
  },
  {
    id: "limit-waiting",
    rule: "L2",
    title:
      "a package is 507 while 83 to 200 wait, and 201 again when fewer do; a commit never is 507",
    spec: "7 507: no room",
    needs: "limit",
    run: waiting,
  },
];

/** A computer that has reserved all it can. */
function fullComputer(kit: Kit) {
  return kit.share("full computer", async () => {
    const app = await appOf(kit, "Conformance kit, bytes");
    const made: TestPackage[] = [];
    for (;;) {
      const answer = await kit.announce(app, LARGE);
      if (partOf(answer.json, "code") === "DISK_FULL") {
        throw new Inconclusive("The relay's disk has no room for 400 MB.");
      }
      if (answer.status !== 201 || made.length > LARGE_PACKAGES) {
        return { app, made, refused: answer };
      }
      made.push(kit.packageOf(app, SOUNDS, answer));
    }
  });
}

async function waiting(kit: Kit): Promise<void> {
  let announced = 0;
  const announce = async () => {
    const turn = Math.floor(announced / PACKAGES_PER_APP);
    announced += 1;
    const app = await appOf(kit, "Conformance kit, waiting", turn);
    return { app, answer: await kit.announce(app, SMALL) };
  };
  const uploaded = async ({ app, answer }: Awaited<ReturnType<typeof announce>>) => {
    const made = kit.packageOf(app, SOUNDS, answer);
    for (const sound of SOUNDS) assertStatus(await kit.put(made, sound), 200);
    return made;
  };
  const first = await announce();
  assertStatus(first.answer, 201);
  const early = await uploaded(first);
  const waits: TestPackage[] = [];
  let refused: Answer | undefined;
  const worker = async () => {
    while (refused === undefined && waits.length <= MOST_WAITING + CONCURRENCY) {
      const next = await announce();
      if (next.answer.status !== 201) {
        refused = next.answer;
        return;
      }
      const made = await uploaded(next);
      assertStatus(await kit.commit(made), 200);
      waits.push(made);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  assertRefusal((await announce()).answer, "MANY_WAIT");
  assertSame(
    waits.length >= LEAST_WAITING && waits.length < MOST_WAITING + CONCURRENCY,
    true,
    `Whether 83 to 200 packages can wait (${waits.length} did)`,
  );
  assertStatus(await kit.commit(early), 200);
  // Those of the newest app: its own places are the first to be free again.
  for (const one of waits.slice(-PACKAGES_PER_APP)) assertStatus(await kit.withdraw(one), 200);
  assertStatus((await announce()).answer, 201);
}

/** The app of this number on its own computer. */
function appOf(kit: Kit, device: string, number = 0): Promise<TestApp> {
  return kit.share(`${device} ${number}`, async () =>
    kit.inTurn("pairing", async () => kit.pair(await kit.device(device), `App ${number + 1}`)),
  );
}
