import type { Check } from "../check.ts";
import {
  assert,
  demandExpiry,
  demandRefusal,
  demandSame,
  demandStatus,
  demandText,
  MOMENT,
  partOf,
  show,
} from "../assert.ts";
import type { Kit, TestPackage } from "../kit.ts";
import { smallSounds } from "../sounds.ts";

/** A day: the wait by the contract's defaults is no longer. */
const WAIT_SECONDS = 86_400;

/** From announcing to taking back. */
export const STATE_CHECKS: readonly Check[] = [
  {
    id: "uploading",
    rule: "S1",
    title: "an announced package is uploading",
    run: async (kit) => demandState(kit, await kit.uploading(), "uploading"),
  },
  {
    id: "commit",
    rule: "S1",
    title: "a commit with every file there is 200, and the package waits",
    run: async (kit) => {
      const made = await kit.uploaded();
      demandStatus(await kit.commit(made), 200);
      await demandState(kit, made, "waiting");
    },
  },
  {
    id: "commit-again",
    rule: "S1",
    title: "a second commit is 200 and changes nothing, also after the import",
    run: async (kit) => {
      const made = await kit.waiting();
      demandStatus(await kit.commit(made), 200);
      await demandState(kit, made, "waiting");
      await kit.report(made, { "1": { status: "imported" } });
      demandStatus(await kit.commit(made), 200);
      await demandState(kit, made, "imported");
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
      demandRefusal(answer, "FILES_MISSING");
      demandSame(partOf(answer.json, "missing"), ["b.wav", "c.wav"], "missing");
      demandSame(partOf(answer.json, "error"), "Missing: b.wav, c.wav", "error");
      await demandState(kit, made, "uploading");
    },
  },
  {
    id: "commit-missing-many",
    rule: "E1",
    title: "of many missing files the text names as many as fit and counts the rest",
    run: async (kit) => {
      const files = Array.from({ length: 12 }, (_, at) => `a long name ${at}.wav`);
      const answer = await kit.commit(await kit.uploading(smallSounds(...files)));
      demandSame(partOf(answer.json, "missing"), files, "missing");
      const named = "Missing: a long name 0.wav, a long name 1.wav, a long name 2.wav";
      demandSame(partOf(answer.json, "error"), `${named} and 9 more`, "error");
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
      demandRefusal(await kit.withdraw(made), "PACKAGE_TAKEN");
      await demandState(kit, made, "waiting");
    },
  },
  {
    id: "take-back-imported",
    rule: "S6",
    title: "an imported package can't be withdrawn: 409",
    run: async (kit) => {
      const made = await kit.waiting();
      await kit.report(made, { "1": { status: "imported" } });
      demandRefusal(await kit.withdraw(made), "PACKAGE_IMPORTED");
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
      demandStatus(await kit.call("POST", `/packages/${made.id}/commit`, { token, body }), 200);
      demandStatus(await kit.call("DELETE", `/packages/${made.id}`, { token, body }), 200);
    },
  },
];

/** The status of a package, which has to be this one. */
export async function demandState(kit: Kit, made: TestPackage, wanted: string): Promise<void> {
  const answer = await kit.status(made);
  demandStatus(answer, 200);
  demandSame(partOf(answer.json, "status"), wanted, "The status");
}

async function withdraw(kit: Kit, made: TestPackage): Promise<void> {
  const answer = await kit.withdraw(made);
  demandStatus(answer, 200);
  demandSame(answer.json, {}, "The body");
  for (const after of [await kit.withdraw(made), await kit.status(made), await kit.commit(made)]) {
    demandRefusal(after, "PACKAGE_UNKNOWN");
  }
}

async function status(kit: Kit): Promise<void> {
  const made = await kit.uploading(smallSounds("one.wav", "two.wav"), { title: "Night Drive" });
  const [first] = made.sounds;
  if (first !== undefined) await kit.put(made, first);
  const { json } = await kit.status(made);
  demandSame(partOf(json, "package_id"), made.id, "package_id");
  demandSame(partOf(json, "title"), "Night Drive", "title");
  demandText(partOf(json, "created_at"), MOMENT, "created_at");
  demandExpiry(json, "The status");
  demandSame(partOf(json, "files"), { "one.wav": "uploaded", "two.wav": "missing" }, "files");
  const results = partOf(json, "results");
  assert(results === undefined, `There are results before the import: ${show(results)}.`);
  const waits = await kit.waiting();
  const { json: later } = await kit.status(waits);
  demandExpiry(later, "The status of a package that waits", WAIT_SECONDS);
}
