/** Symbols of a pairing code: digits and capitals without the ambiguous 0 O 1 I L. */
export const PAIRING_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
export const PAIRING_CODE_LENGTH = 6;

const CODE = new RegExp(`^[${PAIRING_ALPHABET}]{${PAIRING_CODE_LENGTH}}$`);

/**
 * Makes a code, such as `K7MQ2X`, uniformly from all 31⁶ (rule P3).
 * @param randomBytes returns `count` uniformly random bytes
 */
export function makePairingCode(randomBytes: (count: number) => Uint8Array): string {
  let code = "";
  while (code.length < PAIRING_CODE_LENGTH) {
    for (const byte of randomBytes(PAIRING_CODE_LENGTH - code.length)) {
      // Five bits give 0 to 31. 31 has no symbol and is redrawn, so the choice stays uniform.
      code += PAIRING_ALPHABET.charAt(byte & 31);
    }
  }
  return code;
}

/** Formats a code for display: `K7M Q2X`. */
export function formatPairingCode(code: string): string {
  return `${code.slice(0, 3)} ${code.slice(3)}`;
}

/** Formats the link to the relay's page at this address that pairs it with the code. */
export function formatPairingLink(address: string, code: string): string {
  return `${address}/#code=${code}`;
}

/** Longest text that can be a typed code. NFKC makes up to 18 characters of one. */
const MAX_TYPED_LENGTH = 200;

/**
 * Parses a code as people type and paste it, in any width (NFKC) and letter case; returns undefined if it isn't one.
 * Drops everything but Latin letters and digits (rule P3).
 */
export function parsePairingCode(text: string): string | undefined {
  if (text.length > MAX_TYPED_LENGTH) return undefined;
  // Dropped before the letter case, because capitals of other letters may be Latin: ß is SS.
  const code = text
    .normalize("NFKC")
    .replaceAll(/[^0-9A-Za-z]/g, "")
    .toUpperCase();
  return CODE.test(code) ? code : undefined;
}
