import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parseJson } from "../../../core/text/parse-json.ts";
import { InstanceMismatch } from "../../domain/upkeep/instance-mismatch.ts";
import { flushFolderSync } from "../../../program/flush-folder.ts";

/** The file in a data folder whose relay is moving to other stores, or has moved (rule SC22). */
const MOVED_FILE = "moved.json";

/** The mark of a data folder whose relay moves elsewhere. */
interface MovedMark {
  /** Id of this move; the target knows it, too. */
  readonly id: string;
  readonly state: "moving" | "moved";
  /** The target, for sentences. */
  readonly to: string;
}

/** Reads a folder's mark. @returns undefined if there is none */
export function readMovedMark(folder: string): MovedMark | undefined {
  const path = join(folder, MOVED_FILE);
  if (!existsSync(path)) return undefined;
  // A mark that can't be read still counts as a mark.
  const parsed = parseJson(readFileSync(path, "utf8"));
  const [id, state, to] = ["id", "state", "to"].map((name): unknown =>
    Reflect.get(asObject(parsed), name),
  );
  return {
    id: typeof id === "string" ? id : "",
    state: state === "moving" ? "moving" : "moved",
    to: typeof to === "string" ? to : "another place",
  };
}

/** Writes a folder's mark. It is durable when this returns; a crash leaves the old mark or the new one. */
export function writeMovedMark(folder: string, mark: MovedMark): void {
  const path = join(folder, MOVED_FILE);
  const part = `${path}.part`;
  const file = openSync(part, "w", 0o600);
  try {
    writeFileSync(file, `${JSON.stringify(mark, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(part, path);
  flushFolderSync(folder);
}

/**
 * Refuses a folder whose relay moves elsewhere.
 * @throws {InstanceMismatch} if the folder's relay moves elsewhere, or has moved
 */
export function refuseMoved(folder: string): void {
  const mark = readMovedMark(folder);
  if (mark === undefined) return;
  const path = join(folder, MOVED_FILE);
  throw new InstanceMismatch(
    "moved",
    mark.state === "moved"
      ? `The relay in ${folder} has moved to ${mark.to}, so this folder isn't used any more. Two relays with the same ` +
          `apps would lose each other's packages. If you give up the other one, delete ${path}.`
      : `The relay in ${folder} is being moved to ${mark.to}, so this folder isn't used meanwhile. Run \`soundferry relay migrate\` ` +
          `again to finish that. To give it up, delete ${path}.`,
  );
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
