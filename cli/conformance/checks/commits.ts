import {
  assert,
  assertRefusal,
  assertSame,
  assertStatus,
  listOf,
  partOf,
  show,
} from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit, TestPackage } from "../kit.ts";
import { smallSounds } from "../sounds.ts";
import { LIFE_FILES, lifeStory, SENT_ID } from "./life-story.ts";
import { assertAnswered, assertState } from "./state-of.ts";

/** Time after which a second commit would set other times. */
const LATER_MS = 20;

/** The way of a package to `waiting`. */
export const COMMIT_CHECKS: readonly Check[] = [
  {
    id: "uploading",
    rule: "S1",
    title: "a package is uploading until its commit, also when every file is there",
    spec: "3: uploading: files are still being delivered; waiting: committed",
    run: async (kit) => {
      const { announced, uploaded } = await lifeStory(kit);
      assertAnswered(announced, "uploading");
      assertAnswered(uploaded, "uploading");
    },
  },
  {
    id: "commit",
    rule: "S1",
    title: "a commit with every file there is 200, and the package waits",
    spec: "3, 4: commit when every file is uploaded: 200, waiting",
    run: async (kit) => {
      const { committed, waiting } = await lifeStory(kit);
      assertStatus(committed, 200);
      assertAnswered(waiting, "waiting");
    },
  },
  {
    id: "commit-names-missing",
    rule: "S1",
    title: "a commit with files missing is 409, its text names the files, and nothing changes",
    spec: "4, 7: 409 names the files still missing",
    run: async (kit) => {
      const { refused, afterRefused } = await lifeStory(kit);
      assertRefusal(refused, "FILES_MISSING");
      const error = String(partOf(refused.json, "error"));
      const unnamed = LIFE_FILES.slice(1).find((file) => !error.includes(file));
      assert(unnamed === undefined, `The error doesn't name ${unnamed}: ${show(error)}.`);
      assertAnswered(afterRefused, "uploading");
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
    id: "commit-again",
    rule: "S1",
    title: "a second commit is 200 and changes nothing, also after the import",
    run: async (kit) => {
      const made = await kit.waiting();
      assertStatus(await kit.commit(made), 200);
      await assertState(kit, made, "waiting");
      for (const status of ["failed", "imported"]) {
        await kit.report(made, { "1": { status } });
        assertStatus(await kit.commit(made), 200);
        await assertState(kit, made, status);
      }
    },
  },
  {
    id: "commit-again-times",
    rule: "S1",
    title: "a second commit moves neither the end of the wait nor the time of the commit",
    run: async (kit) => {
      const made = await kit.waiting();
      const before = await timesOf(kit, made);
      await kit.pause(LATER_MS);
      assertStatus(await kit.commit(made), 200);
      assertSame(await timesOf(kit, made), before, "What status and list say of its times");
    },
  },
  {
    id: "commit-again-taken",
    rule: "S1",
    title: "a second commit leaves the run its package",
    run: async (kit) => {
      const made = await kit.waiting();
      await kit.take(made, { run_id: "run-1" });
      const before = partOf(await kit.listedAs(made), "taken");
      assertStatus(await kit.commit(made), 200);
      assertSame(partOf(await kit.listedAs(made), "taken"), before, "taken in the list");
    },
  },
  {
    id: "commit-starts-wait",
    rule: "S4",
    title: "the wait is counted from the commit, and not from the announcement",
    run: async (kit) => {
      const made = await kit.waiting();
      const [own, listed] = [await kit.status(made), await kit.listedAs(made)];
      const ends = partOf(own.json, "expires_at");
      assertSame(partOf(listed, "expires_at"), ends, "expires_at in the importer's list");
      const [from, to] = [partOf(listed, "committed_at"), ends].map((at) => Date.parse(String(at)));
      const seconds = (Number(to) - Number(from)) / 1000;
      assert(
        Number.isInteger(seconds) && seconds > 0,
        `Between committed_at and expires_at are ${seconds} s; expected whole seconds.`,
      );
    },
  },
  {
    id: "report-uncommitted",
    rule: "S1",
    title: "a package that is uploading can't be reported, taken or read by the importer",
    run: async (kit) => {
      const made = await kit.uploaded();
      const report = await kit.report(made, { "1": { status: "imported" } });
      for (const answer of [report, await kit.take(made), await kit.importable(made)]) {
        assertRefusal(answer, "PACKAGE_NOT_COMMITTED");
      }
      await assertState(kit, made, "uploading");
    },
  },
  {
    id: "own-id-replaced",
    rule: "M4",
    title: "the server gives a package an id of its own, whatever its manifest sends",
    spec: "2.2: it replaces a package_id sent inside the manifest",
    run: async (kit) => {
      const { made } = await lifeStory(kit);
      assert(made.id !== SENT_ID, "The package has the id that was sent.");
    },
  },
  {
    id: "own-id-nowhere",
    rule: "M4",
    title: "status, list and the importer's manifest have the server's id, not the one sent",
    run: ownId,
  },
];

/** Whatever status and list say about a package's times. */
async function timesOf(kit: Kit, made: TestPackage): Promise<object> {
  const [{ json }, listed] = [await kit.status(made), await kit.listedAs(made)];
  return Object.fromEntries(
    ["created_at", "expires_at", "committed_at", "version"].map((name) => [
      name,
      [partOf(json, name), partOf(listed, name)],
    ]),
  );
}

async function ownId(kit: Kit): Promise<void> {
  const made = await kit.waiting(undefined, { package_id: SENT_ID });
  const { id, app } = made;
  assertSame(partOf((await kit.status(made)).json, "package_id"), id, "package_id in the status");
  const listed = await kit.listedAs(made);
  assertSame(partOf(listed, "manifest", "package_id"), id, "manifest.package_id in the list");
  const { json } = await kit.importable(made);
  assertSame(partOf(json, "manifest", "package_id"), id, "manifest.package_id");
  const { token } = app;
  const own = listOf((await kit.call("GET", "/packages", { token })).json, "packages");
  const ids = own.map((one) => partOf(one, "package_id"));
  assert(!ids.includes(SENT_ID), "GET /packages has the id that was sent.");
  const unknown = await kit.call("GET", `/packages/${SENT_ID}/status`, { token });
  assertRefusal(unknown, "PACKAGE_UNKNOWN");
}
