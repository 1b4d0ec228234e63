import type { Answer } from "../answer.ts";
import { assert, assertRefusal, assertSame, assertStatus, partOf } from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit, TestPackage } from "../kit.ts";
import { LIMITS } from "../limits.ts";
import { beginWait, dueAnswer, wakes } from "./waking.ts";

/** An answer may come so much earlier: clocks differ. */
const EARLY_MS = 1000;
/** Later calls before an answer after 30 s is late; it is then 33 s. */
const CLAMP_BEATS = 40;
/** Longer than a relay waits that polls every second. */
const LASTING_MS = 1600;
/** Time in which a wait could wrongly wake. */
const QUIET_MS = 400;

/** `GET …/status?wait=…`. How an unpairing ends a wait is with what it revokes. */
export const LONG_POLL_CHECKS: readonly Check[] = [
  {
    id: "wait-known-differs",
    rule: "S8",
    title: "waiting answers at once when the status is another than `known`",
    run: async (kit) => {
      const made = await staysUploading(kit);
      for (const known of ["waiting", "imported", "nonsense"]) {
        const answer = await atOnce(kit, made, `?wait=30&known=${known}`);
        assertSame(partOf(answer.json, "status"), "uploading", "The status");
      }
    },
  },
  {
    id: "wait-nonsense",
    rule: "S8",
    title: "a wait that is nonsense or below 0 counts as 0",
    run: async (kit) => {
      const made = await staysUploading(kit);
      for (const wait of ["soon", "-5", "-30", "", "30s", "NaN"]) {
        await atOnce(kit, made, `?wait=${wait}`);
      }
    },
  },
  {
    id: "wait-final",
    rule: "S8",
    title: "waiting answers at once when nothing more will come",
    run: async (kit) => {
      const made = await kit.waiting();
      for (const status of ["imported", "failed"]) {
        await kit.report(made, { "1": { status } });
        await atOnce(kit, made, `?wait=30&known=${status}`);
        await atOnce(kit, made, "?wait=30");
      }
    },
  },
  {
    id: "wait-lasts",
    rule: "S8",
    title: "a wait of 31 s is taken, and lasts until something happens",
    isLong: true,
    run: async (kit) => {
      const made = await kit.inTurn("uploads", () => kit.uploaded());
      const waiting = await beginWait(kit, made, "?wait=31&known=uploading");
      await assertUnanswered(kit, waiting.answer, LASTING_MS);
      await kit.commit(made);
      assertWoken(await dueAnswer(kit, waiting), "waiting");
    },
  },
  {
    id: "wait-wakes",
    rule: "S8",
    title: "a commit ends a wait at once, with the new status",
    run: async (kit) => {
      const made = await kit.uploaded();
      assertWoken(await wakes(kit, made, "uploading", () => kit.commit(made)), "waiting");
    },
  },
  {
    id: "wait-reported",
    rule: "S8",
    title: "a report ends a wait at once, with status and results",
    run: async (kit) => {
      const made = await kit.waiting();
      const results = { "1": { status: "imported", track: "Kick" } };
      const answer = await wakes(kit, made, "waiting", () => kit.report(made, results));
      assertWoken(answer, "imported");
      assertSame(partOf(answer.json, "results"), results, "results");
    },
  },
  {
    id: "wait-taken",
    rule: "S8",
    title: "a take ends no wait",
    run: async (kit) => {
      const made = await kit.waiting();
      const waiting = await beginWait(kit, made, "?wait=30&known=waiting");
      await kit.take(made, { run_id: "run-1" });
      await assertUnanswered(kit, waiting.answer, QUIET_MS);
      await kit.report(made, { "1": { status: "failed" } });
      assertWoken(await dueAnswer(kit, waiting), "failed");
    },
  },
  {
    id: "wait-uploaded",
    rule: "S8",
    title: "an upload ends no wait, and without `known` the present status counts",
    run: async (kit) => {
      const made = await kit.uploading();
      const waiting = await beginWait(kit, made, "?wait=30");
      for (const sound of made.sounds) await kit.put(made, sound);
      await assertUnanswered(kit, waiting.answer, QUIET_MS);
      await kit.commit(made);
      assertWoken(await dueAnswer(kit, waiting), "waiting");
    },
  },
  {
    id: "wait-deleted",
    rule: "S8",
    title: "a withdrawal ends a wait at once, with 404",
    run: async (kit) => {
      const made = await kit.uploading();
      const answer = await wakes(kit, made, "uploading", () => kit.withdraw(made));
      assertRefusal(answer, "PACKAGE_UNKNOWN");
    },
  },
  {
    id: "wait-full",
    rule: "S8",
    title: "a wait in which nothing happens ends after its time with the status as it is",
    isLong: true,
    run: async (kit) => {
      const made = await staysUploading(kit);
      const startedAt = performance.now();
      const answer = await dueAnswer(
        kit,
        await beginWait(kit, made, "?wait=1&known=uploading"),
        40,
      );
      assertWoken(answer, "uploading");
      const ms = performance.now() - startedAt;
      assert(ms > 900, `With wait=1 the answer came after ${Math.round(ms)} ms.`);
    },
  },
  {
    id: "wait-clamped",
    rule: "S8",
    title: "a wait of 31 s or of 23 hours is one of 30 s: 200 then, and not before",
    isLong: true,
    run: async (kit) => {
      const made = await staysUploading(kit);
      const ended = await Promise.allSettled(
        ["31", "82800"].map((wait) => clamped(kit, made, wait)),
      );
      for (const one of ended) if (one.status === "rejected") throw one.reason;
    },
  },
];

/** The package for all checks in which nothing happens. */
function staysUploading(kit: Kit): Promise<TestPackage> {
  return kit.share("stays uploading", () => kit.uploading());
}

async function atOnce(kit: Kit, made: TestPackage, query: string): Promise<Answer> {
  const answer = await dueAnswer(kit, await beginWait(kit, made, query));
  assertStatus(answer, 200);
  return answer;
}

function assertWoken(answer: Answer, status: string): void {
  assertStatus(answer, 200);
  assertSame(partOf(answer.json, "status"), status, "The status after the wait");
}

async function assertUnanswered(kit: Kit, waiting: Promise<Answer>, ms: number): Promise<void> {
  const early = await Promise.race([waiting, kit.pause(ms)]);
  if (early === undefined) return;
  const { asked, status, json } = early;
  const said = String(partOf(json, "status"));
  assert(false, `${asked} answered ${status} (${said}) instead of waiting on.`);
}

async function clamped(kit: Kit, made: TestPackage, wait: string): Promise<void> {
  const waiting = await beginWait(kit, made, `?wait=${wait}`);
  await assertUnanswered(kit, waiting.answer, LIMITS.longPollSeconds * 1000 - EARLY_MS);
  assertWoken(await dueAnswer(kit, waiting, CLAMP_BEATS), "uploading");
}
