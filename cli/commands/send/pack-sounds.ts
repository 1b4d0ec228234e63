import { to16Bit } from "../../../client/audio/to-16-bit.ts";
import { IN_NODE } from "../../../client/node/in-node.ts";
import type {
  OutgoingPackage,
  PackageDraft,
  SoundDraft,
} from "../../../client/send/package-draft.ts";
import { preparePackage } from "../../../client/send/prepare-package.ts";
import type { WavHeader } from "../../../core/audio/wav-header.ts";
import {
  type PackagePlan,
  type Packing,
  planPackages,
  sizeOf,
  titleOfPart,
} from "../../../core/guess/split-package.ts";
import type { Recording } from "../../../core/guess/recording.ts";
import { MAX_PACKAGE_BYTES, MAX_PACKAGES_AT_ONCE, MAX_SOUNDS } from "../../../core/limits.ts";
import { inEnglish } from "../../../core/messages/translate.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { Failure, WrongUse } from "../../fail.ts";
import { formatBytes } from "../../format.ts";

/** A person's choices for sounds that one package may not hold (rule K18). */
export interface PackFlags {
  /** True to send sounds of more than 16 bits as 16 bit. */
  readonly as16?: boolean;
  /** True to send several packages if one doesn't hold the sounds. */
  readonly split?: boolean;
}

/** A package to send. It is read when its turn comes, so that memory holds one. */
export interface PlannedPackage {
  readonly title: string;
  prepare(signal?: AbortSignal): Promise<PreparedPackage>;
}

export interface PreparedPackage extends OutgoingPackage {
  /** Sentences on sounds that 16 bit has clipped. */
  readonly notes: readonly string[];
}

/** A loose file with its description. */
export interface LooseSound {
  readonly draft: SoundDraft;
  readonly source: File;
  /** null if it is no usable WAV; the relay says why. */
  readonly header: WavHeader | null;
}

/**
 * Plans the packages of loose files.
 * @throws {WrongUse | Failure} if one package doesn't hold them, with the flags that help
 */
export function packSounds(
  { title = "", ...head }: Omit<PackageDraft, "sounds">,
  sounds: readonly LooseSound[],
  flags: PackFlags,
  recordings: readonly Recording[],
): readonly PlannedPackage[] {
  const sizes = sounds.map(({ source: { size }, header }) =>
    header === null ? { bytes: size, bytesAs16: size } : sizeOf(header, size),
  );
  const { packages, as16 } = choosePacking(planPackages(sizes, recordings), sounds.length, flags);
  return packages.map((positions, index) => {
    const partTitle = titleOfPart(title, index + 1, packages.length);
    const own = positions.flatMap((position) => sounds[position] ?? []);
    return {
      title: partTitle,
      prepare: async (signal) => {
        const read = [];
        for (const sound of own) read.push(await readSound(sound, as16, signal));
        const drafts = read.map(({ draft }) => draft);
        const draft = { ...head, title: partTitle, sounds: drafts };
        const outgoing = await preparePackage(draft, { ...IN_NODE, ...(signal && { signal }) });
        return { ...outgoing, notes: read.flatMap(({ notes }) => notes) };
      },
    };
  });
}

async function readSound(
  { draft, source, header }: LooseSound,
  as16: boolean,
  signal: AbortSignal | undefined,
): Promise<{ readonly draft: SoundDraft; readonly notes: readonly string[] }> {
  if (!as16 || header === null) return { draft, notes: [] };
  const { wav, clipped } = await to16Bit(source, header, signal);
  const note = inEnglish("page.clipped", { name: source.name, count: clipped });
  return { draft: { ...draft, source: wav }, notes: clipped === 0 ? [] : [note] };
}

function choosePacking(plan: PackagePlan, count: number, flags: PackFlags): Packing {
  const chosen = flags.as16 === true ? plan.as16 : plan.asTheyAre;
  const { length } = chosen.packages;
  if (length <= 1) return chosen;
  const isPossible = length <= MAX_PACKAGES_AT_ONCE;
  if (isPossible && flags.split === true) return chosen;
  const ways =
    isPossible && flags.as16 === true ? [formatSplit(chosen)] : plan.choices.map(formatWay);
  if (ways.length === 0) throw new Failure(formatTooMany(plan, count));
  throw new WrongUse([formatAll(chosen, count), ...ways].join(" "));
}

function formatAll({ bytes }: Packing, count: number): string {
  const limit = `${MAX_SOUNDS} sounds and ${formatBytes(MAX_PACKAGE_BYTES)}`;
  return `${countOf(count, "sound")}, ${formatBytes(bytes)}: one package holds ${limit}.`;
}

/** Says what a choice does, and its flags. */
function formatWay(packing: Packing): string {
  const { as16, bytes, packages } = packing;
  if (!as16) return formatSplit(packing);
  const size = `as 16 bit: ${formatBytes(bytes)}`;
  return packages.length === 1
    ? `Add --bit-depth 16 to send them ${size}, one package.`
    : `Add --bit-depth 16 --split to send them ${size}, ${formatScenes(packing)}.`;
}

function formatSplit(packing: Packing): string {
  return `Add --split to send ${formatScenes(packing)}.`;
}

function formatScenes({ packages: { length } }: Packing): string {
  return `${length} packages, separate scenes to be launched together`;
}

function formatTooMany({ asTheyAre, as16 }: PackagePlan, count: number): string {
  const needed = Math.min(asTheyAre.packages.length, as16.packages.length);
  const are = `${countOf(count, "sound")}, ${formatBytes(asTheyAre.bytes)}, need ${needed} packages`;
  return `${are}; at most ${MAX_PACKAGES_AT_ONCE} are sent at once. Send fewer sounds at a time.`;
}
