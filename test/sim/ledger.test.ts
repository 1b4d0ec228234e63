import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { type Fact, Ledger } from "./ledger.ts";

const who = "life 1 musician 0";
const key = "package 0";
const files = { "kick.wav": { frames: 10, fill: 1 }, "pad.wav": { frames: 20, fill: 2 } };
const SENT: readonly Fact[] = [
  { who, importer: "importer token" },
  { who, app: "app token", isPaired: true },
  { who, key, files },
  { who, key, id: "pkg_a" },
  { who, key, uploaded: "kick.wav" },
];

/** A ledger of a package that was announced, one sound uploaded, and then these lines. */
async function ledgerOf(path: string | undefined, ...more: readonly Fact[]): Promise<Ledger> {
  const ledger = path === undefined ? new Ledger() : await Ledger.open(path);
  for (const fact of [...SENT, ...more]) await ledger.note(fact);
  return ledger;
}

test("[U7] the ledger: what was only asked is possible, what was answered is so", async () => {
  const ledger = await ledgerOf(undefined, { who, key, may: "waiting" });
  const [sent] = ledger.of(who).packages;
  expect(sent?.states).toEqual(["uploading", "waiting"]);
  await ledger.note({ who, isPaired: null });
  expect(sent?.states).toEqual(["uploading", "gone"]);
  await ledger.note({ who, key, is: "waiting" });
  expect([sent?.states, sent?.uploaded]).toEqual([["waiting"], new Set(Object.keys(files))]);
  await ledger.note({ who, isErased: null });
  expect(ledger.of(who)).toMatchObject({ isPaired: null, isErased: null });
});

test.each<[number, Partial<Fact>]>([
  [1, { key, uploaded: "kick.wav" }],
  [0, { key, missing: "kick.wav" }],
  [2, { key, is: "waiting" }],
  [0, { key, is: "gone" }],
  [0, { key, isEmpty: true }],
  [0, { isPaired: false }],
  [0, { isErased: true }],
])("[U7] the ledger: a relay stores %d sounds after %j", async (count, fact) => {
  expect((await ledgerOf(undefined, { who, ...fact })).promisedSounds).toBe(count);
});

test("[U7] the ledger: a line is in the file before anyone uses it, and is read again, but for leases, which have ended", async () => {
  const path = join(await temporaryFolder(), "ledger.jsonl");
  {
    await using ledger = await ledgerOf(path, { who, key, isTaken: true });
    expect(ledger.of(who).packages[0]?.isTaken).toBe(true);
    const written = ledger.note({ who, key, uploaded: "pad.wav" });
    expect(ledger.of(who).packages[0]?.uploaded).toEqual(new Set(["kick.wav"]));
    await written;
    expect((await readFile(path, "utf8")).trimEnd().split("\n")).toHaveLength(SENT.length + 2);
    // What was only packed is not acknowledged.
    expect(ledger.facts).toBe(SENT.length + 1);
  }
  await appendFile(path, '{"who":"torn');
  await using ledger = await Ledger.open(path);
  const known = await ledgerOf(undefined, { who, key, uploaded: "pad.wav" });
  expect(ledger.musicians).toEqual(known.musicians);
  await ledger.note({ who, isErased: true });
  expect(await readFile(path, "utf8")).not.toContain("torn");
});
