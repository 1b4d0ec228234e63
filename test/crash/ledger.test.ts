import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { countStored, type Fact, foldFact, newMusician } from "./facts.ts";
import { Ledger } from "./ledger.ts";

const who = "life 1 musician 0";
const key = "package 0";
const files = { "kick.wav": { frames: 10, fill: 1 }, "pad.wav": { frames: 20, fill: 2 } };
const SENT: readonly Fact[] = [
  { who, kind: "registered", importer: "importer token" },
  { who, kind: "paired", app: "app token" },
  { who, kind: "packed", key, files },
  { who, kind: "announced", key, id: "pkg_a" },
  { who, kind: "uploaded", key, file: "kick.wav" },
];

/** What is known after the package was announced and one sound uploaded, and then these lines. */
function knownAfter(...more: readonly Fact[]) {
  return [...SENT, ...more].reduce(foldFact, newMusician(who));
}

test("[U7] the ledger: what was only asked is possible, what was answered is so", () => {
  const asked = knownAfter({ who, kind: "asking", key, state: "waiting" });
  expect(asked.packages[0]?.possibleStates).toEqual(["uploading", "waiting"]);
  const answered = foldFact(asked, { who, kind: "is", key, state: "waiting" });
  expect(answered.packages[0]?.possibleStates).toEqual(["waiting"]);
  expect(foldFact(answered, { who, kind: "unpairing" }).isPaired).toBeUndefined();
  expect(foldFact(answered, { who, kind: "erasing" }).isErased).toBeUndefined();
});

test("[U7] the ledger: counts the sounds that a relay stores", () => {
  expect(countStored(knownAfter())).toBe(1);
  expect(countStored(knownAfter({ who, kind: "uploaded", key, file: "kick.wav" }))).toBe(1);
  expect(countStored(knownAfter({ who, kind: "is", key, state: "waiting" }))).toBe(2);
  expect(countStored(knownAfter({ who, kind: "is", key, state: "gone" }))).toBe(0);
  expect(countStored(knownAfter({ who, kind: "erased" }))).toBe(0);
});

test("[U7] the ledger: a line is in the file before anyone uses it, and is read again", async () => {
  const path = join(await temporaryFolder(), "ledger.jsonl");
  {
    await using ledger = await Ledger.open(path);
    for (const fact of SENT.slice(0, -1)) await ledger.note(fact);
    const written = ledger.note(SENT[4] ?? { who, kind: "erased" });
    expect(ledger.of(who).packages[0]?.uploaded).toEqual([]);
    await written;
    expect((await readFile(path, "utf8")).trimEnd().split("\n")).toHaveLength(SENT.length);
    // What was only packed is not acknowledged.
    expect(ledger.facts).toBe(SENT.length - 1);
  }
  await appendFile(path, '{"who":"torn');
  await using ledger = await Ledger.open(path);
  expect(ledger.musicians).toEqual([{ ...knownAfter() }]);
  await ledger.note({ who, kind: "uploaded", key, file: "pad.wav" });
  expect(await readFile(path, "utf8")).not.toContain("torn");
});

test("[U7] the ledger: what an earlier run took is no longer held, since its lease has ended", async () => {
  const path = join(await temporaryFolder(), "ledger.jsonl");
  {
    await using ledger = await Ledger.open(path);
    for (const fact of SENT) await ledger.note(fact);
    await ledger.note({ who, kind: "taken", key });
    expect(ledger.of(who).packages[0]?.isTaken).toBe(true);
  }
  await using ledger = await Ledger.open(path);
  expect(ledger.of(who).packages[0]?.isTaken).toBe(false);
});
