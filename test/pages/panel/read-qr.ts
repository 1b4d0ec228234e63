import type { Page } from "playwright-core";

/** Data bytes of each block with error correction M, by version. Larger codes need a field that this reader lacks. */
const BLOCKS: Readonly<Record<number, readonly number[]>> = {
  1: [16],
  2: [28],
  3: [44],
  4: [32, 32],
  5: [43, 43],
  6: [27, 27, 27, 27],
};

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Reads which modules of the QR code in sight are dark at their center; 2 modules of light are around it. */
const MODULES = `(() => {
  const code = document.querySelector("svg.qr");
  code.scrollIntoView({ block: "center" });
  const { left, top, width } = code.getBoundingClientRect();
  const size = code.viewBox.baseVal.width;
  const at = (column, row) =>
    document.elementFromPoint(left + ((column + 2.5) * width) / size, top + ((row + 2.5) * width) / size);
  return Array.from({ length: size - 4 }, (_, row) =>
    Array.from({ length: size - 4 }, (_, column) => at(column, row)?.localName === "path"));
})()`;

/**
 * Reads the text of the QR code that a page shows, as a camera does, but without error correction: a wrong module is a
 * wrong text.
 * @throws {Error} if it isn't a text in bytes with error correction M
 */
export async function readQr(page: Page): Promise<string> {
  const dark = await page.evaluate<readonly (readonly boolean[])[]>(MODULES);
  const size = dark.length;
  const version = (size - 17) / 4;
  const blocks = BLOCKS[version];
  const bit = (x: number, y: number): number => (dark[y]?.[x] === true ? 1 : 0);
  const format = [0, 1, 2, 3, 4, 5, 7, 8].reduce((sum, x) => sum * 2 + bit(x, 8), 0) ^ 0b10101000;
  const mask = MASKS[(format >> 3) & 7];
  if (blocks === undefined || mask === undefined || format >> 6 !== 0)
    throw new Error(`This is no QR code that can be read: version ${version}.`);

  const bits: number[] = [];
  for (const [x, y] of dataPath(size)) bits.push(bit(x, y) ^ (mask(x, y) ? 1 : 0));
  const bytes = joinBlocks(bytesOf(bits), blocks);
  if ((bytes[0] ?? 0) >> 4 !== 4) throw new Error("The QR code isn't a text in bytes.");
  // Four bits of the mode and eight of the length are before the text.
  const halves = bytes.flatMap((byte) => [byte >> 4, byte & 15]);
  const length = (halves[1] ?? 0) * 16 + (halves[2] ?? 0);
  const text = halves.slice(3, 3 + length * 2);
  const pairs = Array.from(
    { length },
    (_, at) => (text[at * 2] ?? 0) * 16 + (text[at * 2 + 1] ?? 0),
  );
  return new TextDecoder().decode(Uint8Array.from(pairs));
}

/** The modules with data, from the lower right in columns of two, up and down. */
function* dataPath(size: number): Generator<readonly [x: number, y: number]> {
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) if (!isPattern(x, y, size)) yield [x, y];
    }
    isUp = !isUp;
  }
}

/** Checks for a module that helps a camera: corners with the format, timing lines, and the small square. */
function isPattern(x: number, y: number, size: number): boolean {
  const isCorner = (x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8);
  const center = size - 7;
  const isSquare = size > 21 && Math.abs(x - center) <= 2 && Math.abs(y - center) <= 2;
  return isCorner || isSquare || x === 6 || y === 6;
}

function bytesOf(bits: readonly number[]): readonly number[] {
  return Array.from({ length: Math.floor(bits.length / 8) }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((sum, each) => sum * 2 + each, 0),
  );
}

/** Blocks of equal length come with their first bytes, then with their second ones, and so on. */
function joinBlocks(bytes: readonly number[], blocks: readonly number[]): readonly number[] {
  return blocks.flatMap((length, block) =>
    Array.from({ length }, (_, at) => bytes[at * blocks.length + block] ?? 0),
  );
}
