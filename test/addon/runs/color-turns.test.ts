import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ColorTurns } from "../../../addon/runs/color-turns.ts";
import { temporaryFolder } from "../temporary-folder.ts";

async function setUp() {
  const path = join(await temporaryFolder(), "data", "colour-turns.json");
  return { path, open: () => new ColorTurns(path) };
}

test("[T4] each package takes the next turn when it is first imported", async () => {
  const turns = (await setUp()).open();
  const taken = [];
  for (const id of ["pkg_a", "pkg_b", "__proto__", "pkg_a"]) taken.push(await turns.turnOf(id));
  expect(taken).toEqual([0, 1, 2, 0]);
});

test("[T4] turns are kept across restarts", async () => {
  const { open } = await setUp();
  expect(await open().turnOf("pkg_a")).toBe(0);
  expect(await open().turnOf("pkg_b")).toBe(1);
  expect(await open().turnOf("pkg_a")).toBe(0);
  expect(await open().turnOf("pkg_c")).toBe(2);
});

test("[T4][N6] a look at the turn that a package would take takes none", async () => {
  const { path, open } = await setUp();
  expect(await open().peek("pkg_a")).toBe(0);
  await expect(access(path)).rejects.toThrow("ENOENT");
  expect(await open().turnOf("pkg_b")).toBe(0);
  expect(await open().peek("pkg_a")).toBe(1);
  expect(await open().peek("pkg_b")).toBe(0);
  expect(await open().turnOf("pkg_a")).toBe(1);
});

test("[T4] two at once take two turns", async () => {
  const turns = (await setUp()).open();
  const ids = Array.from({ length: 20 }, (_, index) => `pkg_${index}`);
  const taken = await Promise.all(ids.map((id) => turns.turnOf(id)));
  expect(new Set(taken).size).toBe(20);
});

test("[T4] the last 2,000 packages are remembered, and no turn is given twice in a row", async () => {
  const { path, open } = await setUp();
  await open().turnOf("pkg_first");
  const turns = Array.from({ length: 2000 }, (_, index) => [`pkg_${index}`, index]);
  await writeFile(path, JSON.stringify({ next: 2000, turns }));
  expect(await open().turnOf("pkg_new")).toBe(2000);
  expect(await open().turnOf("pkg_1")).toBe(1);
  expect(await open().turnOf("pkg_0")).toBe(2001);
});

test.each(["", "{", "[]", '{"next":-1,"turns":[]}', '{"next":1,"turns":{}}'])(
  "[T4] a file that can't be understood starts the turns from 0: %s",
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
