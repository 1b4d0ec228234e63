import { dirname, join } from "node:path/posix";

/**
 * The rooms of the importer by floor, lowest first. A room is a folder of `addon/`, or a file at its
 * root. A room imports only from lower floors.
 */
export const FLOORS: readonly (readonly string[])[] = [
  ["disk", "concurrency"],
  ["hosts", "state"],
  ["relay"],
  ["packages", "settings.ts"],
  ["runs"],
  ["importer.ts"],
  ["build-importer.ts"],
  ["control"],
  ["extension", "index.ts"],
  ["live-extension.ts"],
];

/** A page: it and the rest of the importer import nothing of each other. */
export const APART = "panel";

/** One import statement between two files of `addon/`. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

const IMPORTS = [
  // import … from "…", export … from "…", types included; the names never hold a quote.
  /^\s*(?:import|export)\b[^"'`;]*?\bfrom\s*["']([^"']+)["']/gm,
  // import "…"
  /^\s*import\s*["']([^"']+)["']/gm,
  // import("…"), also in a type
  /\bimport\(\s*["']([^"']+)["']\s*\)/g,
];

/** What a file of `addon/` imports from other files of `addon/`. */
export function readImports(file: string, text: string): readonly Import[] {
  const code = text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
  const targets = IMPORTS.flatMap((pattern) => [...code.matchAll(pattern)].map(([, path]) => path));
  return targets
    .filter((path) => path?.startsWith("."))
    .map((path) => ({ from: file, to: join(dirname(file), path ?? "") }))
    .filter(({ to }) => to.startsWith("addon/"));
}

/** The room that a file of `addon/` is in. */
export function roomOf(file: string): string {
  return file.split("/")[1] ?? "";
}

/** A sentence for each import that enters a room from the wrong side. */
export function findWrongImports(imports: readonly Import[]): readonly string[] {
  return imports.flatMap(({ from, to }) => {
    const [own, other] = [roomOf(from), roomOf(to)];
    if (own === other) return [];
    const said = `${from} imports ${to}`;
    if (own === APART || other === APART) return [`${said}, but ${APART} stands apart.`];
    const [ownFloor, otherFloor] = [floorOf(own), floorOf(other)];
    if (ownFloor === undefined) return [`${said}, but ${own} has no floor in this test.`];
    if (otherFloor === undefined) return [`${said}, but ${other} has no floor in this test.`];
    if (otherFloor > ownFloor) return [`${said}, which is above it.`];
    return otherFloor === ownFloor ? [`${said}, which is on the same floor.`] : [];
  });
}

/** Rooms that import each other in a circle, as `a → b → a`; undefined where there are none. */
export function findCircle(imports: readonly Import[]): string | undefined {
  const below = roomsBelow(imports);
  const walk = (room: string, path: readonly string[]): string | undefined => {
    const start = path.indexOf(room);
    if (start >= 0) return [...path.slice(start), room].join(" → ");
    for (const next of below.get(room) ?? []) {
      const circle = walk(next, [...path, room]);
      if (circle !== undefined) return circle;
    }
    return undefined;
  };
  return [...below.keys()].map((room) => walk(room, [])).find((circle) => circle !== undefined);
}

/** How many rooms stand on each other by the imports, at most; there must be no circle. */
export function countFloors(imports: readonly Import[]): number {
  const below = roomsBelow(imports);
  const heightOf = (room: string): number =>
    1 + Math.max(0, ...[...(below.get(room) ?? [])].map(heightOf));
  return Math.max(0, ...[...below.keys()].map(heightOf));
}

function roomsBelow(imports: readonly Import[]): ReadonlyMap<string, ReadonlySet<string>> {
  const below = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [own, other] = [roomOf(from), roomOf(to)];
    if (own !== other) below.set(own, (below.get(own) ?? new Set()).add(other));
  }
  return below;
}

function floorOf(room: string): number | undefined {
  const floor = FLOORS.findIndex((rooms) => rooms.includes(room));
  return floor === -1 ? undefined : floor;
}
