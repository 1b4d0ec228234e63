import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ColorTurns } from "../../../addon/state/color-turns.ts";
import { sampleSound } from "../../core/layout/sample-package.ts";
import { temporaryFolder } from "../temporary-folder.ts";

async function setUp() {
  const path = join(await temporaryFolder(), "data", "color-turns.json");
  return { path, open: () => new ColorTurns(path) };
}

test("[T4] a package without a turn takes the next one", async () => {
  const turns = (await setUp()).open();
  const taken = [];
  for (const id of ["pkg_a", "pkg_b", "__proto__", "pkg_a"]) taken.push(await turns.turnOf(id));
  expect(taken).toEqual([0, 1, 2, 0]);
});

test("[T4] turns survive a restart", async () => {
  const { open } = await setUp();
  expect(await open().turnOf("pkg_a")).toBe(0);
  expect(await open().turnOf("pkg_b")).toBe(1);
  expect(await open().turnOf("pkg_a")).toBe(0);
  expect(await open().turnOf("pkg_c")).toBe(2);
});

test("[T4][N6] peeking at a package's turn takes none", async () => {
  const { path, open } = await setUp();
  expect(await open().peek("pkg_a")).toBe(0);
  await expect(access(path)).rejects.toThrow("ENOENT");
  expect(await open().turnOf("pkg_b")).toBe(0);
  expect(await open().peek("pkg_a")).toBe(1);
  expect(await open().peek("pkg_b")).toBe(0);
  expect(await open().turnOf("pkg_a")).toBe(1);
});

test("[T4] concurrent calls take different turns", async () => {
  const turns = (await setUp()).open();
  const ids = Array.from({ length: 20 }, (_, index) => `pkg_${index}`);
  const taken = await Promise.all(ids.map((id) => turns.turnOf(id)));
  expect(new Set(taken).size).toBe(20);
});

const uncolored = (packageId: string) => ({
  package_id: packageId,
  manifest: { items: [sampleSound()] },
});

test("[T4] a list takes turns in its order, for packages that need one", async () => {
  const { open } = await setUp();
  const turns = open();
  const red = { package_id: "pkg_red", manifest: { items: [sampleSound({ color: "#ff0000" })] } };
  expect(turns.known).toEqual(new Map());
  const list = ["pkg_b", "pkg_a", "pkg_b"].map(uncolored);
  await expect(turns.learn("relay", [...list, red])).resolves.toBeNull();
  const learned = new Map([
    ["pkg_b", 0],
    ["pkg_a", 1],
  ]);
  expect(turns.known).toEqual(learned);
  const before = turns.known;
  await turns.learn("inbox", [uncolored("local_1"), uncolored("pkg_a")]);
  expect(before).toEqual(learned);
  const again = open();
  expect(await again.peek("local_1")).toBe(2);
  expect(again.known).toEqual(new Map([...learned, ["local_1", 2]]));
});

test("[T4] a list of more than 2,000 packages keeps all its turns while it is listed", async () => {
  const { open } = await setUp();
  const turns = open();
  await turns.turnOf("pkg_gone");
  const many = Array.from({ length: 2100 }, (_, index) => uncolored(`local_${index}`));
  await turns.learn("inbox", many);
  await turns.learn("relay", [uncolored("pkg_1")]);
  const { known } = turns;
  expect([known.size, known.has("pkg_gone"), known.get("local_0")]).toEqual([2101, false, 1]);
  await turns.learn("inbox", many);
  expect(turns.known).toEqual(known);
  await turns.learn("inbox", []);
  await turns.turnOf("pkg_2");
  expect([turns.known.size, turns.known.has("pkg_1")]).toEqual([2000, true]);
});

test("[T4] remembers the last 2,000 packages and never assigns a turn twice in a row", async () => {
  const { path, open } = await setUp();
  await open().turnOf("pkg_first");
  const turns = Array.from({ length: 2000 }, (_, index) => [`pkg_${index}`, index]);
  await writeFile(path, JSON.stringify({ next: 2000, turns }));
  expect(await open().turnOf("pkg_new")).toBe(2000);
  expect(await open().turnOf("pkg_1")).toBe(1);
  expect(await open().turnOf("pkg_0")).toBe(2001);
});

test.each(["", "{", "[]", '{"next":-1,"turns":[]}', '{"next":1,"turns":{}}'])(
  "[T4] a file that can't be understood restarts at turn 0: %s",
  async (text) => {
    const { path, open } = await setUp();
    await open().turnOf("pkg_a");
    await writeFile(path, text);
    expect(await open().turnOf("pkg_b")).toBe(0);
  },
);

test("[T4] only entries that can't be understood are forgotten", async () => {
  const { path, open } = await setUp();
  await open().turnOf("pkg_first");
  const odd = [["pkg_b", -1], ["pkg_c", "4"], [7, 5], "pkg_d", { 0: "pkg_e", 1: 6 }, null];
  await writeFile(path, JSON.stringify({ next: 9, turns: [["pkg_a", 3], ...odd] }));
  expect(await open().peek("pkg_a")).toBe(3);
  for (const id of ["pkg_b", "pkg_c", "pkg_e", "p"]) expect(await open().peek(id)).toBe(9);
  await open().turnOf("pkg_new");
  const kept = JSON.parse(await readFile(path, "utf8"));
  expect(kept).toEqual({
    next: 10,
    turns: [
      ["pkg_a", 3],
      ["pkg_new", 9],
    ],
  });
});
