/** A chunk's four-character code as a little-endian number. */
export function fourCc(name: string): number {
  return [0, 1, 2, 3].reduce((code, at) => code + name.charCodeAt(at) * 2 ** (8 * at), 0);
}

/** Whether a number is a four-character code: four printable ASCII characters. */
export function isFourCc(code: number): boolean {
  return [0, 8, 16, 24].every((shift) => {
    const character = (code >>> shift) & 0xff;
    return character >= 0x20 && character <= 0x7e;
  });
}
