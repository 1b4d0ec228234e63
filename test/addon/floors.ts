import { dirname, join } from "node:path/posix";
import { ROOMS } from "../../rooms.ts";

/** A page: it and the rest of the importer import nothing from each other. */
export const APART = "panel";

/** One import statement between two files of `addon/`. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

const IMPORTS = [
  // import … from "…", export … from "…", types included; names contain no quote.
  /^\s*(?:import|export)\b[^"'`;]*?\bfrom\s*["']([^"']+)["']/gm,
  // import "…"
  /^\s*import\s*["']([^"']+)["']/gm,
  // import("…"), also in types
  /\bimport\(\s*["']([^"']+)["']\s*\)/g,
];

/**
 * The rooms of the importer by floor, lowest first: a room lies above every room that rooms.ts lets it
 * import. A room is a folder of `addon/`, or a file at its root.
 */
export const FLOORS = layFloors();

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

/** Returns a sentence for each import that is not from a lower floor. */
export function findWrongImports(imports: readonly Import[]): readonly string[] {
  return imports.flatMap(({ from, to }) => {
    const [own, other] = [roomOf(from), roomOf(to)];
    if (own === other) return [];
    const sentence = `${from} imports ${to}`;
    if (own === APART || other === APART) return [`${sentence}, but ${APART} is separate.`];
    const [ownFloor, otherFloor] = [floorOf(own), floorOf(other)];
    if (ownFloor === undefined) return [`${sentence}, but ${own} is not in rooms.ts.`];
    if (otherFloor === undefined) return [`${sentence}, but ${other} is not in rooms.ts.`];
    if (otherFloor > ownFloor) return [`${sentence}, which is above it.`];
    return otherFloor === ownFloor ? [`${sentence}, which is on the same floor.`] : [];
  });
}

/** Returns rooms that import each other in a circle, as `a → b → a`, if there are any. */
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

/** Returns the longest chain of rooms by their imports, which must have no circle. */
export function countFloors(imports: readonly Import[]): number {
  const below = roomsBelow(imports);
  return Math.max(0, ...[...below.keys()].map((room) => heightOf(room, below)));
}

/** @throws {Error} when rooms.ts lets rooms import each other in a circle */
function layFloors(): readonly (readonly string[])[] {
  const own = ROOMS.filter(({ path }) => path.startsWith("addon/") && roomOf(path) !== APART);
  const allowed = own
    .flatMap(({ path, imports }) => imports.map((to) => ({ from: path, to })))
    .filter(({ to }) => to.startsWith("addon/"));
  const circle = findCircle(allowed);
  if (circle !== undefined) throw new Error(`rooms.ts allows a circle: ${circle}.`);
  const below = roomsBelow(allowed);
  const floors: string[][] = [];
  for (const room of new Set(own.map(({ path }) => roomOf(path)))) {
    (floors[heightOf(room, below) - 1] ??= []).push(room);
  }
  return floors;
}

type RoomsBelow = ReadonlyMap<string, ReadonlySet<string>>;

function heightOf(room: string, below: RoomsBelow): number {
  return 1 + Math.max(0, ...[...(below.get(room) ?? [])].map((each) => heightOf(each, below)));
}

function roomsBelow(imports: readonly Import[]): RoomsBelow {
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
