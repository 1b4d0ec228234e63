import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import pLimit from "p-limit";
import { isJsonObject } from "../../core/text/json-object.ts";
import { readTextIfAny, writeFileAtomically } from "../disk/atomic-file.ts";
import { parseJson } from "../../core/text/parse-json.ts";

/** Packages whose turn is remembered; the oldest are forgotten beyond that. */
const REMEMBERED = 2000;

interface Kept {
  /** The turn that the next new package takes. */
  readonly next: number;
  /** Package id → its turn, oldest first. */
  readonly turns: Map<string, number>;
}

/**
 * Whose turn it is in the rotation of package colours (rule T4). A package takes a turn when it is
 * first imported and keeps it, also across restarts.
 */
export class ColorTurns {
  readonly #path: string;
  readonly #runExclusive = pLimit(1);

  /** @param path of the JSON file, made on first use; one that can't be understood starts the turns anew, because only colours are at stake. */
  constructor(path: string) {
    this.#path = path;
  }

  /** The turn that `turnOf` would give now; nothing is taken. */
  async peek(packageId: string): Promise<number> {
    const kept = parseKept(await readTextIfAny(this.#path));
    return kept.turns.get(packageId) ?? kept.next;
  }

  /** The package's turn, counted from 0; taken and written down when it has none yet. */
  turnOf(packageId: string): Promise<number> {
    return this.#runExclusive(async () => {
      const kept = parseKept(await readTextIfAny(this.#path));
      const known = kept.turns.get(packageId);
      if (known !== undefined) return known;
      const turn = kept.next;
      kept.turns.set(packageId, turn);
      await mkdir(dirname(this.#path), { recursive: true });
      await writeFileAtomically(
        this.#path,
        JSON.stringify({ next: turn + 1, turns: [...kept.turns].slice(-REMEMBERED) }),
      );
      return turn;
    });
  }
}

function parseKept(text: string | undefined): Kept {
  const value = parseJson(text ?? "");
  if (!isJsonObject(value) || !isTurn(value["next"]) || !Array.isArray(value["turns"])) {
    return { next: 0, turns: new Map() };
  }
  return { next: value["next"], turns: new Map(value["turns"].filter((entry) => isEntry(entry))) };
}

function isTurn(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isEntry(entry: unknown): entry is [string, number] {
  return Array.isArray(entry) && typeof entry[0] === "string" && isTurn(entry[1]);
}
