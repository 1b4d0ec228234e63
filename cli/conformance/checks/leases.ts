import { assert, assertRefusal, assertSame, assertStatus, partOf, show } from "../assert.ts";
import { LeftOut } from "../assertion-failure.ts";
import type { Check } from "../check.ts";
import type { Kit, TestPackage } from "../kit.ts";
import { makeWav, type Sound } from "../sounds.ts";
import { assertState } from "./state-of.ts";

const RUN = { run_id: "run-1" };
const RIVAL = { run_id: "run-2" };
/** The pause after which a lease has lasted for a while. */
const WHILE_MS = 2000;
/** A relay may save a renewal only once it extends the lease by this part of it. */
const RENEWAL_SHARE = 1 / 20;
/** The kit doesn't wait for that part of a longer lease. */
const LONGEST_LEASE_SECONDS = 900;
/** A lease outlives a dead run by no more. */
const LONGEST_SECONDS = 3600;
/** 2.5 MiB: two whole ones at least. */
const LONG_SOUND = { file: "long.wav", bytes: makeWav({ frames: 1_310_720, fill: 3 }) };

/** Leases: their renewal, their end, force. The seconds left are those that a rival's refusal names. */
export const LEASE_CHECKS: readonly Check[] = [
  {
    id: "lease-lasts",
    rule: "S2",
    title: "a take says how long the lease lasts, and a rival's refusal says how much is left",
    run: async (kit) => {
      const made = await kit.waiting();
      const taken = await kit.take(made, RUN);
      const whole = Number(partOf(taken.json, "expires_in"));
      assert(whole <= LONGEST_SECONDS, `The lease lasts ${whole} s.`);
      const left = await secondsLeft(kit, made);
      assert(left <= whole, `A rival's refusal names ${left} s of a lease of ${whole} s.`);
    },
  },
  {
    id: "lease-renewed-by-take",
    rule: "S2",
    title:
      "a take by the same run renews its lease; a rival's refused take and a status call don't",
    isLong: true,
    run: renewedByTake,
  },
  {
    id: "lease-renewed-by-download",
    rule: "S2",
    title: "a download of some MiB renews the lease of the run that has the package",
    isLong: true,
    run: renewedByDownload,
  },
  {
    id: "lease-held-by-download",
    rule: "S2",
    title: "a download keeps the package beyond the lease of the take",
    needs: "time",
    run: heldByDownload,
  },
  {
    id: "lease-forced",
    rule: "S2",
    title: "a lease taken over with force lasts its whole time for the new run alone",
    run: async (kit) => {
      const made = await kit.waiting();
      await kit.take(made, RUN);
      const taken = await kit.take(made, { ...RIVAL, force: true });
      assertStatus(taken, 200);
      assertStatus(await kit.take(made, RIVAL), 200);
      assertRefusal(await kit.take(made, RUN), "RUN_ELSEWHERE");
      assertRefusal(await kit.take(made, { ...RUN, force: false }), "RUN_ELSEWHERE");
      assertRefusal(await kit.withdraw(made), "PACKAGE_TAKEN");
    },
  },
  {
    id: "lease-after-report",
    rule: "S2",
    title: "after any report a run may take the package, and then holds it against others",
    run: async (kit) => {
      const made = await kit.waiting();
      for (const status of ["imported", "failed"]) {
        await kit.take(made, { ...RUN, force: true });
        await kit.report(made, { "1": { status } });
        assertSame(partOf(await kit.listedAs(made), "taken"), false, "taken after the report");
        assertStatus(await kit.take(made, RIVAL), 200);
        assertRefusal(await kit.take(made, RUN), "RUN_ELSEWHERE");
        assertRefusal(await kit.withdraw(made), "PACKAGE_TAKEN");
        await assertState(kit, made, status);
      }
    },
  },
  {
    id: "lease-of-no-run",
    rule: "S2",
    title: "a computer without run ids is one run: others get 409, and it gets theirs",
    run: async (kit) => {
      const [unnamed, named] = [await kit.waiting(), await kit.waiting()];
      await kit.take(unnamed);
      assertRefusal(await kit.take(unnamed, RUN), "RUN_ELSEWHERE");
      await kit.take(named, RUN);
      assertRefusal(await kit.take(named), "RUN_ELSEWHERE");
    },
  },
];

/** The seconds left of a lease, as a rival's refused take names them. */
async function secondsLeft(kit: Kit, made: TestPackage): Promise<number> {
  const refused = await kit.take(made, RIVAL);
  assertRefusal(refused, "RUN_ELSEWHERE");
  const seconds = Number(partOf(refused.json, "expires_in"));
  assert(Number.isInteger(seconds), `A rival's expires_in is ${show(seconds)}.`);
  return seconds;
}

/** Checks that run beside others take turns to upload: an app may have four at once. */
function waitingInTurn(kit: Kit, sounds?: readonly Sound[]): Promise<TestPackage> {
  return kit.inTurn("uploads", () => kit.waiting(sounds));
}

async function renewedByTake(kit: Kit): Promise<void> {
  const made = await waitingInTurn(kit);
  const taken = await kit.take(made, RUN);
  const whole = Number(partOf(taken.json, "expires_in"));
  await kit.wait(WHILE_MS);
  const before = await secondsLeft(kit, made);
  assert(before < whole, `After 2 s a lease of ${whole} s has ${before} s left.`);
  await kit.status(made);
  await kit.listedAs(made);
  await kit.importable(made);
  const after = await secondsLeft(kit, made);
  assert(
    after <= before,
    `A rival's refused take, a status call or a list renewed the lease: first ${before} s, then ${after} s are left.`,
  );
  const again = await kit.take(made, RUN);
  assertStatus(again, 200);
  const [end, newEnd] = [taken, again].map(({ json }) => String(partOf(json, "expires_at")));
  assert(
    Date.parse(newEnd ?? "") > Date.parse(end ?? ""),
    `The same run took again, and its lease ends at ${newEnd}; before that at ${end}.`,
  );
  const renewed = await secondsLeft(kit, made);
  assert(
    renewed > after,
    `The same run took again, and the lease has ${renewed} s left; before it had ${after} s.`,
  );
}

/** A package with a long sound that a run has taken, and the seconds of its lease. */
async function takenLong(kit: Kit) {
  const made = await waitingInTurn(kit, [LONG_SOUND]);
  const whole = Number(partOf((await kit.take(made, RUN)).json, "expires_in"));
  if (whole > LONGEST_LEASE_SECONDS) {
    throw new LeftOut(`A lease lasts ${whole} s here; that takes too long to see.`);
  }
  return { made, whole };
}

async function heldByDownload(kit: Kit): Promise<void> {
  const { made, whole } = await takenLong(kit);
  await kit.wait(whole * 600);
  await downloadLong(kit, made);
  await kit.wait(whole * 600);
  assertRefusal(await kit.take(made, RIVAL), "RUN_ELSEWHERE");
}

async function renewedByDownload(kit: Kit): Promise<void> {
  const { made, whole } = await takenLong(kit);
  await kit.wait(whole * RENEWAL_SHARE * 1000 + WHILE_MS);
  const before = await secondsLeft(kit, made);
  await downloadLong(kit, made);
  const after = await secondsLeft(kit, made);
  assert(
    after > before,
    `After a download of 2.5 MiB the lease has ${after} s left; before it had ${before} s.`,
  );
}

async function downloadLong(kit: Kit, made: TestPackage): Promise<void> {
  const { token } = made.app.device;
  const path = String(partOf((await kit.importable(made)).json, "files", LONG_SOUND.file));
  const maxAnswerBytes = 2 * LONG_SOUND.bytes.length;
  const answer = await kit.call("GET", path, { token, maxAnswerBytes });
  assertStatus(answer, 200);
  assertSame(answer.bytes.length, LONG_SOUND.bytes.length, "The number of bytes that came");
}
