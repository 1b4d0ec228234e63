import { setTimeout as sleep } from "node:timers/promises";
import type { Check } from "../check.ts";
import { assert, assertRefusal, assertSame, assertStatus, partOf } from "../assert.ts";
import type { Kit, TestPackage } from "../kit.ts";
import type { Answer } from "../answer.ts";

/** `GET …/status?wait=…`. */
export const LONG_POLL_CHECKS: readonly Check[] = [
  {
    id: "wait-known-differs",
    rule: "S8",
    title: "waiting answers at once when the status is another than `known`",
    run: async (kit) => {
      const made = await kit.share("stays uploading", () => kit.uploading());
      const answer = await atOnce(kit, made, "?wait=30&known=waiting");
      assertSame(partOf(answer.json, "status"), "uploading", "The status");
    },
  },
  {
    id: "wait-nonsense",
    rule: "S8",
    title: "a wait that is nonsense or below 0 counts as 0",
    run: async (kit) => {
      const made = await kit.share("stays uploading", () => kit.uploading());
      for (const wait of ["soon", "-5", ""]) await atOnce(kit, made, `?wait=${wait}`);
    },
  },
  {
    id: "wait-final",
    rule: "S8",
    title: "waiting answers at once when nothing more will come",
    run: async (kit) => {
      const made = await kit.waiting();
      await kit.report(made, { "1": { status: "imported" } });
      await atOnce(kit, made, "?wait=30&known=imported");
    },
  },
  {
    id: "wait-wakes",
    rule: "S8",
    title: "waiting answers as soon as the status changes",
    run: async (kit) => {
      const made = await kit.uploaded();
      const answer = await meanwhile(kit, made, () => kit.commit(made));
      assertStatus(answer, 200);
      assertSame(partOf(answer.json, "status"), "waiting", "The status");
    },
  },
  {
    id: "wait-deleted",
    rule: "S8",
    title: "waiting on a package that is withdrawn ends with 404",
    run: async (kit) => {
      const made = await kit.uploading();
      const answer = await meanwhile(kit, made, () => kit.withdraw(made));
      assertRefusal(answer, "PACKAGE_UNKNOWN");
    },
  },
];

/** An answer within this time, to a call with a wait of 30 s, came without waiting. */
const AT_ONCE_MS = 20_000;

async function atOnce(kit: Kit, made: TestPackage, query: string): Promise<Answer> {
  const answer = await withDeadline(AT_ONCE_MS, kit.status(made, query));
  assertStatus(answer, 200);
  return answer;
}

/** Starts waiting on an uploading package, then acts once a later call is answered. */
async function meanwhile(kit: Kit, made: TestPackage, act: () => Promise<Answer>): Promise<Answer> {
  const waiting = kit.status(made, "?wait=30&known=uploading");
  waiting.catch(() => {});
  await kit.status(made);
  await act();
  return withDeadline(AT_ONCE_MS, waiting);
}

async function withDeadline(ms: number, answer: Promise<Answer>): Promise<Answer> {
  const over = new AbortController();
  const late = sleep(ms, undefined, { signal: over.signal }).catch(() => undefined);
  const first = await Promise.race([answer, late]);
  over.abort();
  assert(first !== undefined, `No answer within ${ms / 1000} s.`);
  return first;
}
