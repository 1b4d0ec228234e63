import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { describe, expect, test } from "vitest";
import {
  APART,
  countFloors,
  findCircle,
  findWrongImports,
  FLOORS,
  type Import,
  readImports,
  roomOf,
} from "./floors.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Every source file of `addon/`, as `addon/…` with slashes. */
function listFiles(): readonly string[] {
  return readdirSync(join(ROOT, "addon"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .map((path) => path.replaceAll(sep, "/"));
}

const files = listFiles();
const imports = files.flatMap((file) => readImports(file, readFileSync(join(ROOT, file), "utf8")));

describe("the rooms of addon/", () => {
  test("each room imports only from lower floors", () => {
    expect(findWrongImports(imports)).toEqual([]);
  });

  test("rooms don't import each other in a circle", () => {
    expect(findCircle(imports)).toBeUndefined();
  });

  test("there are at most ten floors", () => {
    expect(FLOORS.length).toBeLessThanOrEqual(10);
    expect(countFloors(imports)).toBeLessThanOrEqual(10);
  });

  test("rooms.ts lists every room, and only five files lie at the root", () => {
    const rooms = [...FLOORS.flat(), APART].sort();
    expect([...new Set(files.map(roomOf))].sort()).toEqual(rooms);
    expect(rooms.filter((room) => room.endsWith(".ts"))).toEqual([
      "build-importer.ts",
      "importer.ts",
      "index.ts",
      "live-extension.ts",
      "settings.ts",
    ]);
  });
});

describe("readImports", () => {
  const ownText = `
import { a } from "./a.ts";
import type {
  B,
} from "../runs/b.ts";
export type * from "../state/c.ts";
export { d, type E } from './d.ts';
import "../extension/globals.ts";
const late = await import("../disk/late.ts");
type F = import("../hosts/f.ts").F;
import { readFile } from "node:fs/promises";
import { g } from "../../core/g.ts";
// import { h } from "../packages/h.ts";
/** See import("../packages/i.ts"). */
const from = "not an import";
`;

  test("finds every kind of import, also of types and in import()", () => {
    expect(readImports("addon/state/x.ts", ownText).map(({ to }) => to)).toEqual([
      "addon/state/a.ts",
      "addon/runs/b.ts",
      "addon/state/c.ts",
      "addon/state/d.ts",
      "addon/extension/globals.ts",
      "addon/disk/late.ts",
      "addon/hosts/f.ts",
    ]);
  });

  test("reads the importer's own files", () => {
    const own = { from: "addon/index.ts", to: "addon/build-importer.ts" };
    expect(imports).toContainEqual(own);
    expect(imports.length).toBeGreaterThan(300);
  });
});

test.each<[string, Import, string]>([
  [
    "from a room above",
    { from: "addon/state/x.ts", to: "addon/runs/y.ts" },
    "addon/state/x.ts imports addon/runs/y.ts, which is above it.",
  ],
  [
    "from a room on the same floor",
    { from: "addon/disk/x.ts", to: "addon/concurrency/y.ts" },
    "addon/disk/x.ts imports addon/concurrency/y.ts, which is on the same floor.",
  ],
  [
    "into the panel",
    { from: "addon/control/x.ts", to: "addon/panel/y.tsx" },
    "addon/control/x.ts imports addon/panel/y.tsx, but panel is separate.",
  ],
  [
    "out of the panel",
    { from: "addon/panel/y.tsx", to: "addon/disk/x.ts" },
    "addon/panel/y.tsx imports addon/disk/x.ts, but panel is separate.",
  ],
  [
    "from a room that rooms.ts doesn't list",
    { from: "addon/runs/x.ts", to: "addon/attic/y.ts" },
    "addon/runs/x.ts imports addon/attic/y.ts, but attic is not in rooms.ts.",
  ],
])("names both files of an import %s", (_, one, sentence) => {
  const within = { from: "addon/state/x.ts", to: "addon/state/y.ts" };
  expect(findWrongImports([within, one])).toEqual([sentence]);
});

test("names the rooms of a circle, and counts floors by the longest chain", () => {
  const way = (...rooms: string[]) =>
    rooms.slice(1).map((room, index) => ({
      from: `addon/${rooms[index]}/x.ts`,
      to: `addon/${room}/x.ts`,
    }));
  expect(findCircle(way("runs", "relay", "state", "runs"))).toBe("runs → relay → state → runs");
  expect(findCircle(way("runs", "relay", "state"))).toBeUndefined();
  expect(countFloors([...way("runs", "relay", "state"), ...way("runs", "state")])).toBe(3);
});
