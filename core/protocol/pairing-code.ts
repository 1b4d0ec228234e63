/** The symbols of a pairing code: digits and capitals without those that look alike (0 O 1 I L). */
export const PAIRING_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
/** Symbols of a pairing code. */
const PAIRING_CODE_LENGTH = 6;

const CODE = new RegExp(`^[${PAIRING_ALPHABET}]{${PAIRING_CODE_LENGTH}}$`);

/**
 * A new code, such as `K7MQ2X`; each of the 31⁶ codes is equally likely (rule P3).
 * @param randomBytes uniformly random bytes, as many as asked for
 */
export function makePairingCode(randomBytes: (count: number) => Uint8Array): string {
  let code = "";
  while (code.length < PAIRING_CODE_LENGTH) {
    for (const byte of randomBytes(PAIRING_CODE_LENGTH - code.length)) {
      // Five bits give 0 to 31; 31 has no symbol and is drawn again, so that none is favoured.
      code += PAIRING_ALPHABET.charAt(byte & 31);
    }
  }
  return code;
}

/** A code as people read it: `K7M Q2X`. */
export function formatPairingCode(code: string): string {
  return `${code.slice(0, 3)} ${code.slice(3)}`;
}

/**
 * The code that a person typed: letter case, spaces and hyphens do not matter (rule P3). undefined
 * where the text can't be a code.
 */
export function parsePairingCode(text: string): string | undefined {
  const code = text.replaceAll(/[\s\p{Pd}]/gu, "").toUpperCase();
  return CODE.test(code) ? code : undefined;
}
