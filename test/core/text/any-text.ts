import * as fc from "fast-check";
import { CODE_POINT } from "../../code-point.ts";

/** Letters that compose, spaces of all kinds, controls, joiners, invisible ones, parts of emoji, a lone surrogate. */
const SPECIAL =
  "aé가 /\n\0\u00a0\u3000\u0301\u0323\u0338=\u1100\u1161\u202e\u200b\u200c\u200d\ufe0f\u3164🇨👍🏽👩𝄞\ud800";

/** Texts of any code points, of UTF-16 units that need not be any, and of what cleaning is about. */
export const anyText = fc.oneof(
  fc.string({ unit: CODE_POINT, maxLength: 200 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 })
    .map((units) => String.fromCharCode(...units)),
  fc.string({ unit: fc.constantFrom(...Array.from(SPECIAL)), maxLength: 200 }),
);
