import {
  assert,
  assertExpiry,
  assertMatches,
  assertRefusal,
  assertSame,
  assertStatus,
  assertSuccess,
  partOf,
  show,
  TIMESTAMP,
} from "../assert.ts";
import type { Answer } from "../answer.ts";
import type { Check } from "../check.ts";
import type { Kit, TestPackage } from "../kit.ts";
import { LIMITS } from "../limits.ts";
import { smallSounds } from "../sounds.ts";
import { lifeStory } from "./life-story.ts";
import { assertState } from "./state-of.ts";

/** Status and withdrawal of a package. */
export const STATE_CHECKS: readonly Check[] = [
  {
    id: "status",
    rule: "S7",
    title: "the status has title, times, the state of each file",
    run: status,
  },
  {
    id: "take-back-uploading",
    rule: "S6",
    title: "a package that is uploading can be withdrawn: 200 {}, and every call on it is 404",
    spec: "3, 4: DELETE takes a package back until it is in the host application",
    run: async (kit) => withdraw(kit, await kit.uploading()),
  },
  {
    id: "take-back-answer",
    rule: "A4",
    title: "a withdrawal is answered 200 {}",
    run: async (kit) => {
      const answer = await kit.withdraw(await kit.uploading());
      assertStatus(answer, 200);
      assertSame(answer.json, {}, "The body");
    },
  },
  {
    id: "take-back-waiting",
    rule: "S6",
    title: "a waiting package can be withdrawn",
    spec: "3, 4: DELETE takes a package back until it is in the host application",
    run: async (kit) => {
      const { made, withdrawn } = await lifeStory(kit);
      await assertGone(kit, made, withdrawn);
    },
  },
  {
    id: "take-back-failed",
    rule: "S6",
    title: "a failed package can be withdrawn",
    run: async (kit) => {
      const made = await kit.waiting();
      await kit.report(made, { "1": { status: "failed" } });
      await withdraw(kit, made);
    },
  },
  {
    id: "take-back-taken",
    rule: "S6",
    title: "a package that is being imported can't be withdrawn: 409",
    run: async (kit) => {
      const made = await kit.waiting();
      await kit.take(made, { run_id: "run-1" });
      assertRefusal(await kit.withdraw(made), "PACKAGE_TAKEN");
      await assertState(kit, made, "waiting");
    },
  },
  {
    id: "take-back-imported",
    rule: "S6",
    title: "a package that was imported, or a part of it, can't be withdrawn: 409",
    spec: "4 DELETE: until it is in the host application",
    run: async (kit) => {
      const made = await kit.waiting(smallSounds("one.wav", "two.wav"));
      const imported = { status: "imported" };
      for (const results of [{ "1": imported }, { "1": imported, "2": imported }]) {
        await kit.report(made, results);
        assertRefusal(await kit.withdraw(made), "PACKAGE_IMPORTED");
      }
    },
  },
  {
    id: "take-back-ignores-body",
    rule: "M10",
    title: "commit, unpair and DELETE ignore their body",
    run: async (kit) => {
      const made = await kit.uploaded();
      const { token } = made.app;
      const body = "no JSON {";
      assertStatus(await kit.call("POST", `/packages/${made.id}/commit`, { token, body }), 200);
      assertStatus(await kit.call("DELETE", `/packages/${made.id}`, { token, body }), 200);
    },
  },
];

async function withdraw(kit: Kit, made: TestPackage): Promise<void> {
  await assertGone(kit, made, await kit.withdraw(made));
}

/** The public specification leaves open what a withdrawal answers, and what later calls do. */
async function assertGone(kit: Kit, made: TestPackage, withdrawn: Answer): Promise<void> {
  assertSuccess(withdrawn, 200);
  if (kit.contract === "public") return;
  assertSame(withdrawn.json, {}, "The body");
  for (const after of [await kit.withdraw(made), await kit.status(made), await kit.commit(made)]) {
    assertRefusal(after, "PACKAGE_UNKNOWN");
  }
}

async function status(kit: Kit): Promise<void> {
  const made = await kit.uploading(smallSounds("one.wav", "two.wav"), { title: "Night Drive" });
  const [first] = made.sounds;
  if (first !== undefined) await kit.put(made, first);
  const { json } = await kit.status(made);
  assertSame(partOf(json, "package_id"), made.id, "package_id");
  assertSame(partOf(json, "title"), "Night Drive", "title");
  assertMatches(partOf(json, "created_at"), TIMESTAMP, "created_at");
  assertExpiry(json, "The status");
  assertSame(partOf(json, "files"), { "one.wav": "uploaded", "two.wav": "missing" }, "files");
  const results = partOf(json, "results");
  assert(results === undefined, `There are results before the import: ${show(results)}.`);
  const waits = await kit.waiting();
  const { json: later } = await kit.status(waits);
  assertExpiry(later, "The status of a package that waits", LIMITS.waitSeconds);
  const uploadEnd = partOf(waits.announced.json, "expires_at");
  const isMoved = partOf(later, "expires_at") !== uploadEnd;
  assert(isMoved, `While it waits, expires_at is still the end of the upload: ${show(uploadEnd)}.`);
}
