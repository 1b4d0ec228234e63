import { realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { DiskError } from "../../../addon/disk/disk-error.ts";
import { readerOf } from "../../../addon/disk/read-at.ts";
import { LocalPackageError } from "../../../addon/packages/local-package-error.ts";
import { readSamples } from "../../../core/audio/read-samples.ts";
import type { WavFormat } from "../../../core/audio/wav-header.ts";
import { inEnglish } from "../../../core/messages/translate.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { formatNumber } from "../../../core/text/format-number.ts";
import { formatDuration } from "../../../core/text/format-span.ts";
import { type FolderPackage, readPackageFolder } from "../read-package-folder.ts";
import type { CheckedPackage, CheckProblem } from "./checked-package.ts";
import { isInside } from "./is-inside.ts";
import type { ReportAudio, ReportPackage, ReportSide, ReportSound } from "./report-page.ts";

/** A larger sound gets a link instead of a player. */
const MAX_SOUND_BYTES = 8 * 1000 ** 2;
/** All players of a page, in the length of their text. */
const MAX_PLAYERS_BYTES = 60 * 1000 ** 2;

export interface ReportFolders {
  /** The page's file. */
  readonly page: string;
  /** A checkout that has the packages as they were; undefined without one. */
  readonly base: string | undefined;
  /** The folder from which the packages' paths are the same in `base`. */
  readonly root: string;
}

/** Reads what the page shows of packages with problems: envelopes and audio of the sounds that have some. */
export async function readReport(
  packages: readonly CheckedPackage[],
  { page, base, root }: ReportFolders,
  limits = { sound: MAX_SOUND_BYTES, page: MAX_PLAYERS_BYTES },
): Promise<readonly ReportPackage[]> {
  const reader = new ReportReader(dirname(page), limits);
  const differing = packages.filter(({ problems }) => problems.length > 0);
  const now = new Map<ShownSound, ReportSide>();
  const shown = differing.map((checked) => ({ checked, sounds: soundsOf(checked) }));
  // The new sounds get players first.
  for (const { checked, sounds } of shown) {
    for (const sound of sounds) {
      const sought = { read: checked.read, id: sound.id, absent: "No longer there." };
      now.set(sound, await reader.side("Now", sought));
    }
  }
  const report: ReportPackage[] = [];
  for (const { checked, sounds } of shown) {
    const old = base === undefined ? undefined : await readBase(base, root, checked.folder);
    const isAccepted = checked.status !== "missing";
    const title = isAccepted || old === undefined ? "Accepted" : "Before";
    const absent = isAccepted ? "Its audio isn't known." : "Nothing was accepted yet.";
    const made: ReportSound[] = [];
    for (const sound of sounds) {
      const accepted = await reader.side(title, { read: old, id: sound.id, absent });
      made.push({ ...sound, accepted, now: now.get(sound) ?? accepted });
    }
    report.push({ checked, sounds: made });
  }
  return report;
}

interface ShownSound {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly problems: readonly CheckProblem[];
}

/** The sounds with problems; all of a package without an accepted layout, whose sounds are all new. */
function soundsOf({ sounds, problems, status, read }: CheckedPackage): readonly ShownSound[] {
  const names = new Map(
    problems.flatMap(({ sound, name }) => (sound === null ? [] : [[sound, name]])),
  );
  const ids = [...new Set([...sounds.map(({ id }) => id), ...names.keys()])];
  return ids
    .filter((id) => status === "missing" || names.has(id))
    .map((id) => ({
      id,
      name: sounds.find((sound) => sound.id === id)?.name ?? names.get(id) ?? id,
      file: read?.local.manifest.items.find((item) => item.id === id)?.file ?? "",
      problems: problems.filter(({ sound }) => sound === id),
    }));
}

/** Reads the package at the same path of another checkout; undefined if it has none that can be read. */
async function readBase(
  base: string,
  root: string,
  folder: string,
): Promise<FolderPackage | undefined> {
  try {
    const path = relative(await realpath(root), await realpath(folder));
    return isInside(path) ? await readPackageFolder(join(base, path)) : undefined;
  } catch (error) {
    if (isOfTheFile(error)) return undefined;
    throw error;
  }
}

interface SoughtSound {
  readonly read: FolderPackage | undefined;
  readonly id: string;
  /** A sentence if the package lacks the sound. */
  readonly absent: string;
}

class ReportReader {
  readonly #pageFolder: string;
  readonly #limits: { readonly sound: number; readonly page: number };
  #players = 0;

  constructor(pageFolder: string, limits: { readonly sound: number; readonly page: number }) {
    this.#pageFolder = pageFolder;
    this.#limits = limits;
  }

  async side(title: ReportSide["title"], { read, id, absent }: SoughtSound): Promise<ReportSide> {
    const unknownSide = (note: string): ReportSide => {
      return { title, peaks: null, seconds: 0, facts: "", note, audio: null };
    };
    const sound = read?.local.manifest.items.find((item) => item.id === id);
    const header = read?.headers.get(id);
    if (read === undefined || sound === undefined || header === undefined)
      return unknownSide(absent);
    if ("error" in header) return unknownSide(header.error);
    try {
      const { file } = await read.local.openFile(sound);
      try {
        const readAt = readerOf(file, sound.file);
        const peaks = await envelopeOf(readSamples(readAt, header), header.frames);
        const path = await read.local.pathOf(sound);
        const audio = await this.#audio(header.fileBytes, path, () => file.readFile());
        const seconds = header.frames / header.sampleRateHz;
        return { title, peaks, seconds, facts: formatFacts(header, seconds), note: "", audio };
      } finally {
        await file.close();
      }
    } catch (error) {
      if (isOfTheFile(error)) return unknownSide(error.message);
      throw error;
    }
  }

  async #audio(
    fileBytes: number,
    path: string,
    readFile: () => Promise<Buffer>,
  ): Promise<ReportAudio> {
    const length = 4 * Math.ceil(fileBytes / 3);
    const isTooLarge = fileBytes > this.#limits.sound;
    if (isTooLarge || this.#players + length > this.#limits.page) {
      const sentence = isTooLarge
        ? "This sound is too large for a player here."
        : "This page has no room for more players.";
      return { sentence, href: await this.#linkTo(path) };
    }
    this.#players += length;
    return { uri: `data:audio/wav;base64,${(await readFile()).toString("base64")}` };
  }

  /** A link that works while page and file stay where they are; null to another drive. */
  async #linkTo(path: string): Promise<string | null> {
    const folder = await realpath(this.#pageFolder).catch(() => this.#pageFolder);
    const parts = relative(folder, path).split(sep);
    return parts[0]?.endsWith(":") ? null : parts.map(encodeURIComponent).join("/");
  }
}

const CHANNELS = new Map([
  [1, "mono"],
  [2, "stereo"],
]);

function formatFacts(
  { channels, sampleRateHz, bitsPerSample, encoding }: WavFormat,
  seconds: number,
) {
  return [
    formatDuration(inEnglish, seconds),
    `${formatNumber(sampleRateHz / 1000)} kHz`,
    encoding === "float" ? `${bitsPerSample} bit float` : `${bitsPerSample} bit`,
    CHANNELS.get(channels) ?? `${channels} channels`,
  ].join(" · ");
}

/** Whether a file or its disk is at fault, not this program. */
function isOfTheFile(error: unknown): error is Error {
  return (
    [Refusal, LocalPackageError, DiskError, RangeError].some((kind) => error instanceof kind) ||
    (error instanceof Error && "syscall" in error)
  );
}

async function envelopeOf(
  pieces: AsyncIterable<readonly Float32Array[]>,
  frames: number,
): Promise<readonly number[]> {
  const columns = Math.min(512, frames);
  const peaks = Array.from({ length: columns }, () => 0);
  let frame = 0;
  for await (const channels of pieces) {
    const length = channels[0]?.length ?? 0;
    for (let at = 0; at < length; at += 1, frame += 1) {
      const column = Math.min(columns - 1, Math.floor((frame * columns) / frames));
      for (const channel of channels) {
        peaks[column] = Math.max(peaks[column] ?? 0, Math.min(1, Math.abs(channel[at] ?? 0)));
      }
    }
  }
  return peaks;
}
