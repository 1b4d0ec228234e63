import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "../../../core/text/parse-json.ts";
import { InstanceMismatch } from "../../domain/upkeep/instance-mismatch.ts";
import { flushFolderSync } from "../../../program/flush-folder.ts";

/** The file in a data folder whose relay is moving to other stores, or has moved (rule SC22). */
const MOVED_FILE = "moved.json";

/** The mark of a data folder or database whose relay moves elsewhere. */
export interface MovedMark {
  /** Id of this move; the target knows it, too. */
  readonly id: string;
  readonly state: "moving" | "moved";
  /** The target, for sentences. */
  readonly to: string;
}

/** Reads a folder's mark. @returns undefined if there is none */
export function readMovedMark(folder: string): MovedMark | undefined {
  const path = join(folder, MOVED_FILE);
  return existsSync(path) ? parseMark(readFileSync(path, "utf8")) : undefined;
}

/** Parses a mark. One that can't be read still counts as a mark. */
export function parseMark(json: string): MovedMark {
  const parsed = parseJson(json);
  const [id, state, to] = ["id", "state", "to"].map((name): unknown =>
    Reflect.get(asObject(parsed), name),
  );
  return {
    id: typeof id === "string" ? id : "",
    state: state === "moving" ? "moving" : "moved",
    to: typeof to === "string" ? to : "another place",
  };
}

/** Writes a folder's mark, or removes it. That is durable when this returns; a crash leaves the old mark or the new one. */
export function writeMovedMark(folder: string, mark: MovedMark | undefined): void {
  const path = join(folder, MOVED_FILE);
  if (mark === undefined) {
    rmSync(path, { force: true });
  } else {
    const part = `${path}.part`;
    writeFileSync(part, `${JSON.stringify(mark, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(part, path);
  }
  flushFolderSync(folder);
}

/**
 * Refuses a folder whose relay moves elsewhere.
 * @throws {InstanceMismatch} if the folder's relay moves elsewhere, or has moved
 */
export function refuseMoved(folder: string): void {
  const giveUp = `delete ${join(folder, MOVED_FILE)}`;
  refuseMark(readMovedMark(folder), { where: folder, what: "folder", giveUp });
}

/** The words of a refusal: the place of the mark, what it is, and what gives up the other place. */
interface MarkedPlace {
  readonly where: string;
  readonly what: "folder" | "database";
  readonly giveUp: string;
}

/** Refuses a place by its mark. @throws {InstanceMismatch} if there is one */
export function refuseMark(
  mark: MovedMark | undefined,
  { where, what, giveUp }: MarkedPlace,
): void {
  if (mark === undefined) return;
  throw new InstanceMismatch(
    "moved",
    mark.state === "moved"
      ? `The relay in ${where} has moved to ${mark.to}, so this ${what} isn't used any more. Two relays with the same ` +
          `apps would lose each other's packages. If you give up the other one, ${giveUp}.`
      : `The relay in ${where} is being moved to ${mark.to}, so this ${what} isn't used meanwhile. Run \`soundferry relay migrate\` ` +
          `again to finish that. To give it up, ${giveUp}.`,
  );
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
