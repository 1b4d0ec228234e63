import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import pLimit from "p-limit";
import { isJsonObject } from "../../core/text/json-object.ts";
import { readTextIfAny, writeFileAtomically } from "../disk/atomic-file.ts";
import { parseJson } from "../../core/text/parse-json.ts";

/** Stored turns; beyond that, the oldest are dropped. */
const MAX_TURNS = 2000;

interface StoredTurns {
  /** The next new package's turn. */
  readonly next: number;
  /** Package id → its turn, oldest first. */
  readonly turns: Map<string, number>;
}

/** The rotation of package colours (rule T4). A package's first import takes a turn, which survives restarts. */
export class ColorTurns {
  readonly #path: string;
  readonly #runExclusive = pLimit(1);

  /** @param path of the JSON file, created on first use. An invalid file restarts at turn 0: only colours are lost. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Returns what `turnOf` would return, without taking a turn. */
  async peek(packageId: string): Promise<number> {
    const { turns, next } = parseTurns(await readTextIfAny(this.#path));
    return turns.get(packageId) ?? next;
  }

  /** Returns the package's turn, counted from 0; a package without one takes the next. */
  turnOf(packageId: string): Promise<number> {
    return this.#runExclusive(async () => {
      const { turns, next: turn } = parseTurns(await readTextIfAny(this.#path));
      const known = turns.get(packageId);
      if (known !== undefined) return known;
      turns.set(packageId, turn);
      await mkdir(dirname(this.#path), { recursive: true });
      const text = JSON.stringify({ next: turn + 1, turns: [...turns].slice(-MAX_TURNS) });
      await writeFileAtomically(this.#path, text);
      return turn;
    });
  }
}

function parseTurns(text: string | undefined): StoredTurns {
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
