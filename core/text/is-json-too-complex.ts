import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from "../quotas/budgets.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [COMMA, COLON] = [0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST] = [0x5b, 0x5d];
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];

/**
 * Checks whether JSON nests deeper than `MAX_JSON_DEPTH`, or has too many values and keys (rules L9, I7). Reads the bytes once and builds nothing: parsing and repairing costs far more than that. Doesn't check whether
 * it is valid, but counts every value that a parser would make.
 */
export function isJsonTooComplex(json: Uint8Array, maxValues: number = MAX_JSON_VALUES): boolean {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < json.length; at += 1) {
    switch (json[at]) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        depth += 1;
        values += 1;
        if (depth > MAX_JSON_DEPTH) return true;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      case COMMA:
      case COLON:
        values += 1;
        break;
      case undefined:
      default:
    }
    if (values > maxValues) return true;
  }
  return false;
}

/** Returns the index of the quote that ends the string, or one after the last byte. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
