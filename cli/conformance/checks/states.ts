import {
  assert,
  assertExpiry,
  assertMatches,
  assertRefusal,
  assertSame,
  assertStatus,
  partOf,
  show,
  TIMESTAMP,
} from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit, TestPackage } from "../kit.ts";
import { smallSounds } from "../sounds.ts";

/** The contract's longest default wait. */
const WAIT_SECONDS = 86_400;

/** The states of a package, from announcing to withdrawing. */
export const STATE_CHECKS: readonly Check[] = [
  {
    id: "uploading",
    rule: "S1",
    title: "an announced package is uploading",
    run: async (kit) => assertState(kit, await kit.uploading(), "uploading"),
  },
  {
    id: "commit",
    rule: "S1",
    title: "a commit with every file there is 200, and the package waits",
    run: async (kit) => {
      const made = await kit.uploaded();
      assertStatus(await kit.commit(made), 200);
      await assertState(kit, made, "waiting");
    },
  },
  {
    id: "commit-again",
    rule: "S1",
    title: "a second commit is 200 and changes nothing, also after the import",
    run: async (kit) => {
      const made = await kit.waiting();
      assertStatus(await kit.commit(made), 200);
      await assertState(kit, made, "waiting");
      await kit.report(made, { "1": { status: "imported" } });
      assertStatus(await kit.commit(made), 200);
      await assertState(kit, made, "imported");
    },
  },
  {
    id: "commit-missing",
    rule: "S1",
    title:
      "a commit with files missing is 409 with all their names in `missing`, and nothing changes",
    run: async (kit) => {
      const made = await kit.uploading(smallSounds("a.wav", "b.wav", "c.wav"));
      const [first] = made.sounds;
      if (first !== undefined) await kit.put(made, first);
      const answer = await kit.commit(made);
      assertRefusal(answer, "FILES_MISSING");
      assertSame(partOf(answer.json, "missing"), ["b.wav", "c.wav"], "missing");
      assertSame(partOf(answer.json, "error"), "Missing: b.wav, c.wav", "error");
      await assertState(kit, made, "uploading");
    },
  },
  {
    id: "commit-missing-many",
    rule: "E1",
    title: "of many missing files the text names as many as fit and counts the rest",
    run: async (kit) => {
      const files = Array.from({ length: 12 }, (_, at) => `a long name ${at}.wav`);
      const answer = await kit.commit(await kit.uploading(smallSounds(...files)));
      assertSame(partOf(answer.json, "missing"), files, "missing");
      const named = "Missing: a long name 0.wav, a long name 1.wav, a long name 2.wav";
      assertSame(partOf(answer.json, "error"), `${named} and 9 more`, "error");
    },
  },
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
    run: async (kit) => withdraw(kit, await kit.uploading()),
  },
  {
    id: "take-back-waiting",
    rule: "S6",
    title: "a waiting package can be withdrawn",
    run: async (kit) => withdraw(kit, await kit.waiting()),
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
    title: "an imported package can't be withdrawn: 409",
    spec: "4 DELETE: until it is in the host application",
    run: async (kit) => {
      const made = await kit.waiting();
      await kit.report(made, { "1": { status: "imported" } });
      assertRefusal(await kit.withdraw(made), "PACKAGE_IMPORTED");
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

/** Checks a package's status. */
export async function assertState(kit: Kit, made: TestPackage, wanted: string): Promise<void> {
  const answer = await kit.status(made);
  assertStatus(answer, 200);
  assertSame(partOf(answer.json, "status"), wanted, "The status");
}

async function withdraw(kit: Kit, made: TestPackage): Promise<void> {
  const answer = await kit.withdraw(made);
  assertStatus(answer, 200);
  assertSame(answer.json, {}, "The body");
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
  assertExpiry(later, "The status of a package that waits", WAIT_SECONDS);
}
