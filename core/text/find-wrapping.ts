/* oxlint-disable no-control-regex -- bytes have every value */

/** Number of bytes at the start that show what the rest is wrapped in. */
export const WRAPPING_BYTES = 256;

/** The wrapping that is no encoding. */
export const FORM = "form";

/** A wrapping, and the start of what is wrapped in it, each byte as one character (Latin-1). */
type Sign = readonly [wrapping: string, start: RegExp];

/** Starts that neither a JSON text nor a WAV has. */
const SIGNS: readonly Sign[] = [
  // A part of a multipart form: the boundary, then a header.
  [FORM, /^\s*--[^\r\n]{1,200}\r?\ncontent-/i],
  ["UTF-32", /^(?:\u00FF\u00FE\0\0|\0\0\u00FE\u00FF)/],
  ["UTF-16", /^(?:\u00FF\u00FE|\u00FE\u00FF)/],
  ["gzip", /^\u001F\u008B/],
  ["zstd", /^\u0028\u00B5\u002F\u00FD/],
  ["zip", /^PK\u0003\u0004/],
  ["deflate", /^x[\u0001^\u009C\u00DA]/],
  ["Base64", /^"?data:/],
  // What JavaScript makes of a value that isn't sent as its bytes.
  ["[object]", /^"?\[object \w+\]/],
];

const SIGNS_OF_WAV: readonly Sign[] = [
  ["UTF-8 BOM", /^\u00EF\u00BB\u00BF/],
  ["UTF-32", /^\0*R\0\0\0I/],
  ["UTF-16", /^\0?R\0I/],
  ["Base64", /^"?UklGR/],
  ["hex", /^"?52494646/],
  // An array of bytes, as a list, as an object and as Node writes it.
  ["JSON", /^\s*(?:\[\s*82\s*,|\{\s*"0"|\{\s*"type"\s*:\s*"Buffer")/],
  ...SIGNS,
];

const SIGNS_OF_JSON: readonly Sign[] = [
  // Each character has the zeros of a wide encoding.
  ["UTF-32", /^(?:\0\0\0[\t-~]|[\t-~]\0\0\0)/],
  ["UTF-16", /^(?:\0[\t-~]|[\t-~]\0)/],
  [FORM, /^(?:[\w.[\]+-]+=|%7B)/i],
  // `{`, and what follows it in most texts.
  ["Base64", /^(?:ey[AIJ]|ew[0o])/],
  ...SIGNS,
];

/** Returns what bytes that should be a WAV are wrapped in, by the first of them; undefined if they show nothing. */
export function wrappingOfWav(bytes: Uint8Array): string | undefined {
  return wrappingBy(SIGNS_OF_WAV, bytes);
}

/** Returns the same of bytes that should be JSON. A byte order mark of UTF-8 is none: it is skipped. */
export function wrappingOfJson(bytes: Uint8Array): string | undefined {
  return wrappingBy(SIGNS_OF_JSON, bytes);
}

/** Says what a JSON file is encoded in: `is UTF-16. Save it as plain UTF-8 text.`; undefined if it isn't. */
export function formatEncoding(bytes: Uint8Array): string | undefined {
  const encoding = wrappingOfJson(bytes);
  if (encoding === undefined || encoding === FORM) return undefined;
  return `is ${encoding}. Save it as plain UTF-8 text.`;
}

function wrappingBy(signs: readonly Sign[], bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, WRAPPING_BYTES));
  return signs.find(([, sign]) => sign.test(start))?.[0];
}
