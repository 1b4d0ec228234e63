import type { RandomBytes } from "../ports.ts";

const URL_SAFE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Makes an app token: `sfa_` and 256 random bits (rule A1). */
export function makeAppToken(randomBytes: RandomBytes): string {
  return `sfa_${urlSafe(randomBytes(32))}`;
}

/** Makes an importer token: `sfi_` and 256 random bits (rule A1). */
export function makeImporterToken(randomBytes: RandomBytes): string {
  return `sfi_${urlSafe(randomBytes(32))}`;
}

/** Makes a package id: `pkg_` and 128 random bits as 22 URL-safe characters (rule M8). */
export function makePackageId(randomBytes: RandomBytes): string {
  return `pkg_${urlSafe(randomBytes(16))}`;
}

/** Makes an id: a readable prefix and 128 random bits. */
export function makeId(
  prefix: "dev" | "pair" | "req" | "snd" | "ins",
  randomBytes: RandomBytes,
): string {
  return `${prefix}_${urlSafe(randomBytes(16))}`;
}

/** Checks whether a text has the form of such a token. Avoids lookups of other texts. */
export function looksLikeToken(text: string, kind: "sfa" | "sfi"): boolean {
  return text.length === 47 && text.startsWith(`${kind}_`) && /^[\w-]+$/.test(text);
}

/** Encodes as base64url without padding (RFC 4648 §5). Hand-written because the domain imports no library. */
function urlSafe(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += 3) {
    const triple =
      ((bytes[start] ?? 0) << 16) | ((bytes[start + 1] ?? 0) << 8) | (bytes[start + 2] ?? 0);
    const sextets = Math.min(4, Math.ceil(((bytes.length - start) * 8) / 6));
    for (let at = 0; at < sextets; at += 1) text += URL_SAFE[(triple >> (18 - 6 * at)) & 63];
  }
  return text;
}
