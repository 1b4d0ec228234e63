import type { WavFormat, WavHeader } from "../audio/wav-header.ts";
import {
  MAX_PACKAGE_BYTES,
  MAX_PACKAGES_AT_ONCE,
  MAX_SOUNDS,
  MAX_TITLE_LENGTH,
} from "../limits.ts";
import { readTitle } from "../text/clean-text.ts";
import type { Recording } from "./recording.ts";

/** A sound to send, as far as a package's room goes. */
export interface SizedSound {
  readonly bytes: number;
  /** Its size as 16 bit; the same if it has no more bits. */
  readonly bytesAs16: number;
}

/** One way to send sounds. */
export interface Packing {
  /** True if sounds of more than 16 bits become 16 bit. */
  readonly as16: boolean;
  /** Size of all sounds. */
  readonly bytes: number;
  /** Positions of each package's sounds; every position once, in order. */
  readonly packages: readonly (readonly number[])[];
}

/** The ways in which sounds can be sent. */
export interface PackagePlan {
  /** The sounds as they are; the number of packages may be too large. */
  readonly asTheyAre: Packing;
  /** The sounds as 16 bit. */
  readonly as16: Packing;
  /**
   * The choices of a person, 16 bit first. Only one package as they are leaves no question; without any, the
   * sounds are too many or too large.
   */
  readonly choices: readonly Packing[];
}

/**
 * Plans how sounds are sent that one package may not hold (rule G20). Order stays, and each package is filled before
 * the next one begins. A recording that fits into one package is not torn if that needs no further package. 16 bit is a
 * choice if it makes fewer packages.
 */
export function planPackages(
  sounds: readonly SizedSound[],
  recordings: readonly Pick<Recording, "members">[] = [],
): PackagePlan {
  const asTheyAre = pack(sounds, recordings, false);
  const as16 = pack(sounds, recordings, true);
  const isHelpful = as16.packages.length < asTheyAre.packages.length;
  const choices = (isHelpful ? [as16, asTheyAre] : [asTheyAre]).filter(
    ({ packages }) => packages.length <= MAX_PACKAGES_AT_ONCE,
  );
  return { asTheyAre, as16, choices };
}

/** True if more than one package would be needed, so that a person must choose. */
export function needsChoice({ asTheyAre }: PackagePlan): boolean {
  return asTheyAre.packages.length > 1;
}

function pack(
  sounds: readonly SizedSound[],
  recordings: readonly Pick<Recording, "members">[],
  as16: boolean,
): Packing {
  const sizes = sounds.map(({ bytes, bytesAs16 }) => (as16 ? bytesAs16 : bytes));
  const each = sizes.map((_, position) => [position]);
  const plain = fill(each, sizes);
  const whole = fill(blocksOf(sizes, recordings), sizes);
  const packages = whole.length > plain.length ? plain : whole;
  return { as16, bytes: sum(sizes), packages };
}

/** Returns runs of sounds that stay together: consecutive ones of a recording that one package holds, others alone. */
function blocksOf(
  sizes: readonly number[],
  recordings: readonly Pick<Recording, "members">[],
): readonly (readonly number[])[] {
  const recordingOf = new Map(
    recordings.flatMap(({ members }, index) => members.map((member) => [member, index] as const)),
  );
  const blocks: number[][] = [];
  for (const position of sizes.keys()) {
    const last = blocks.at(-1);
    const recording = recordingOf.get(position);
    const isSame = recording !== undefined && recordingOf.get(position - 1) === recording;
    if (last !== undefined && isSame) last.push(position);
    else blocks.push([position]);
  }
  return blocks.flatMap((block) => (fits(block, sizes) ? [block] : block.map((one) => [one])));
}

/** Fills packages with blocks in their order. A sound that is too large for any package gets one of its own. */
function fill(
  blocks: readonly (readonly number[])[],
  sizes: readonly number[],
): readonly (readonly number[])[] {
  const packages: number[][] = [];
  for (const block of blocks) {
    const last = packages.at(-1);
    if (last !== undefined && fits([...last, ...block], sizes)) last.push(...block);
    else packages.push([...block]);
  }
  return packages;
}

function fits(positions: readonly number[], sizes: readonly number[]): boolean {
  const bytes = sum(positions.map((position) => sizes[position] ?? 0));
  return positions.length <= MAX_SOUNDS && bytes <= MAX_PACKAGE_BYTES;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** True if a sound has more than 16 bits. */
export function isDeep({ encoding, bitsPerSample }: WavFormat): boolean {
  return encoding === "float" || bitsPerSample > 16;
}

/** Measures a sound for `planPackages`. The size as 16 bit is exact, or a few bytes too large. */
export function sizeOf(header: WavHeader, fileBytes: number): SizedSound {
  if (!isDeep(header)) return { bytes: fileBytes, bytesAs16: fileBytes };
  const { frames, channels, dataBytes } = header;
  // A last chunk may lack its padding.
  const bytesAs16 = fileBytes - dataBytes + frames * channels * 2 + 1;
  return { bytes: fileBytes, bytesAs16 };
}

/**
 * Returns the title of one of several packages, such as `Neon Rain (1 of 3)`: the ending is all that links them, so
 * the base is cut to leave it room.
 * @param number counted from 1
 */
export function titleOfPart(base: string, number: number, count: number): string {
  if (count === 1) return base;
  const ending = ` (${number} of ${count})`;
  return readTitle(base, MAX_TITLE_LENGTH - ending.length).text + ending;
}
