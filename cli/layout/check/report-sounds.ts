import { realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { parseEnvelope } from "../../../core/audio/peak-envelope.ts";
import type { SoundAudioJson } from "../../../core/layout/audio-schema.ts";
import { isSameAudio } from "../../../core/layout/compare-audio.ts";
import { formatBits, formatChannels } from "../../../core/layout/format-audio-changes.ts";
import { inEnglish } from "../../../core/messages/translate.ts";
import { formatNumber } from "../../../core/text/format-number.ts";
import { formatDuration } from "../../../core/text/format-span.ts";
import { isInside } from "../is-inside.ts";
import { readAudio } from "../read-audio.ts";
import { type FolderPackage, readPackageFolder } from "../read-package-folder.ts";
import { isOfThePackage } from "../run-library.ts";
import type { CheckedPackage, CheckProblem } from "./checked-package.ts";
import type { ReportAudio, ReportPackage, SoundVersion, ReportSound } from "./report-page.ts";

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

interface PlayerLimits {
  readonly sound: number;
  readonly page: number;
}

/** Reads what the page shows of packages with problems: the sounds that have some, and their audio. */
export async function readReport(
  packages: readonly CheckedPackage[],
  { page, base, root }: ReportFolders,
  limits: PlayerLimits = { sound: MAX_SOUND_BYTES, page: MAX_PLAYERS_BYTES },
): Promise<readonly ReportPackage[]> {
  const players = new Players(dirname(page), limits);
  const shown = packages
    .filter(({ problems }) => problems.length > 0)
    .map((checked) => ({ checked, sounds: soundsOf(checked) }));
  const current = new Map<ShownSound, SoundVersion>();
  // The new sounds get players first.
  for (const { checked, sounds } of shown) {
    for (const sound of sounds) current.set(sound, await currentVersion(checked, sound, players));
  }
  const report: ReportPackage[] = [];
  for (const { checked, sounds } of shown) {
    const old = base === undefined ? undefined : await readBase(base, root, checked.folder);
    const made: ReportSound[] = [];
    for (const sound of sounds) {
      const { name, file, problems, isSame } = sound;
      const before = isSame ? [] : [await olderVersion(checked, sound, { old, players })];
      const after = current.get(sound);
      const versions = after === undefined ? before : [...before, after];
      made.push({ name, file, problems, versions });
    }
    report.push({ checked, sounds: made });
  }
  return report;
}

interface ShownSound {
  readonly id: string;
  readonly name: string;
  /** Empty if it is no longer there. */
  readonly file: string;
  readonly problems: readonly CheckProblem[];
  readonly accepted: SoundAudioJson | undefined;
  readonly now: SoundAudioJson | undefined;
  /** True if the audio is the accepted one. */
  readonly isSame: boolean;
}

/** The sounds with problems; all of a package without an accepted layout, whose sounds are all new. */
function soundsOf(checked: CheckedPackage): readonly ShownSound[] {
  const { sounds, problems, status, read, audio } = checked;
  return sounds
    .map(({ id, name }) => {
      const file = read?.local.manifest.items.find((item) => item.id === id)?.file ?? "";
      const own = problems.filter(({ sound }) => sound === id);
      const [accepted, now] = [audio.accepted, audio.now].map((json) =>
        json?.sounds.find((sound) => sound.id === id),
      );
      const isSame = accepted !== undefined && now !== undefined && isSameAudio(accepted, now);
      return { id, name, file, problems: own, accepted, now, isSame };
    })
    .filter((sound) => status === "missing" || sound.problems.length > 0);
}

async function currentVersion(
  { read }: CheckedPackage,
  { id, now, isSame }: ShownSound,
  players: Players,
): Promise<SoundVersion> {
  const header = read?.headers.get(id);
  if (now === undefined) {
    const isUnusable = header !== undefined && "error" in header;
    return versionOf("Now", isUnusable ? header.error : "No longer there.", undefined);
  }
  const audio = read === undefined ? null : await players.make(read, id);
  return versionOf(isSame ? "As accepted" : "Now", "", now, audio);
}

interface OlderOptions {
  /** The base's package. */
  readonly old: FolderPackage | undefined;
  readonly players: Players;
}

/** The accepted audio, with the base's sound if that is it; or the base's if nothing is accepted. */
async function olderVersion(
  { status }: CheckedPackage,
  { id, file, accepted }: ShownSound,
  { old, players }: OlderOptions,
): Promise<SoundVersion> {
  // Sounds without ids of their own are numbered, so the file says more.
  const { items } = old?.local.manifest ?? { items: [] };
  const oldId = (items.find((item) => item.file === (accepted?.file ?? file)) ?? { id }).id;
  const based = old === undefined ? undefined : await readSound(old, oldId);
  if (accepted === undefined && status === "missing" && old !== undefined && based !== undefined) {
    return versionOf("Before", "", based, await players.make(old, oldId));
  }
  if (accepted === undefined) {
    const isNew = status === "missing";
    const note = isNew ? "Nothing was accepted yet." : "No audio was accepted.";
    return versionOf("Accepted", note, undefined);
  }
  if (old === undefined || based === undefined) return versionOf("Accepted", "", accepted);
  const other = { sentence: "The base has a different sound from the accepted one.", href: null };
  const audio = isSameAudio(accepted, based) ? await players.make(old, oldId) : other;
  return versionOf("Accepted", "", accepted, audio);
}

/** Reads the package at the same path of another checkout; undefined if it has none that can be read. */
async function readBase(
  base: string,
  root: string,
  folder: string,
): Promise<FolderPackage | undefined> {
  const [from, path] = [await realpath(root), await realpath(folder).catch(() => folder)];
  if (!isInside(from, path)) return undefined;
  return orUndefined(readPackageFolder(join(base, relative(from, path))));
}

async function readSound({ local, headers }: FolderPackage, id: string) {
  const sound = local.manifest.items.find((item) => item.id === id);
  const header = headers.get(id);
  if (sound === undefined || header === undefined || "error" in header) return undefined;
  return (await orUndefined(readAudio(local, sound, header)))?.json;
}

/** The players of a page, within its limits. */
class Players {
  readonly #pageFolder: string;
  readonly #limits: PlayerLimits;
  #length = 0;

  constructor(pageFolder: string, limits: PlayerLimits) {
    this.#pageFolder = pageFolder;
    this.#limits = limits;
  }

  /** Embeds a sound's file, or links it if it is too large. */
  async make({ local }: FolderPackage, id: string): Promise<ReportAudio | null> {
    const sound = local.manifest.items.find((item) => item.id === id);
    if (sound === undefined) return null;
    try {
      const { file, sizeBytes } = await local.openFile(sound);
      try {
        const length = 4 * Math.ceil(sizeBytes / 3);
        const isTooLarge = sizeBytes > this.#limits.sound;
        if (isTooLarge || this.#length + length > this.#limits.page) {
          const sentence = isTooLarge
            ? "This sound is too large for a player here."
            : "This page has no room for more players.";
          return { sentence, href: await this.#linkTo(await local.pathOf(sound)) };
        }
        this.#length += length;
        return { uri: `data:audio/wav;base64,${(await file.readFile()).toString("base64")}` };
      } finally {
        await file.close();
      }
    } catch (error) {
      if (isOfThePackage(error)) return { sentence: error.message, href: null };
      throw error;
    }
  }

  /** A link that works while page and file stay where they are; null to another drive. */
  async #linkTo(path: string): Promise<string | null> {
    const folder = await realpath(this.#pageFolder).catch(() => this.#pageFolder);
    const parts = relative(folder, path).split(sep);
    return parts[0]?.endsWith(":") ? null : parts.map(encodeURIComponent).join("/");
  }
}

/** @param note a sentence if there is no audio */
function versionOf(
  title: SoundVersion["title"],
  note: string,
  json: SoundAudioJson | undefined,
  audio: ReportAudio | null = null,
): SoundVersion {
  if (json === undefined) return { title, peaks: null, seconds: 0, facts: "", note, audio };
  const seconds = json.frames / json.sample_rate_hz;
  const facts = [
    formatDuration(inEnglish, seconds),
    `${formatNumber(json.sample_rate_hz / 1000)} kHz`,
    formatBits(json),
    formatChannels(json),
  ].join(" · ");
  return { title, peaks: parseEnvelope(json.peaks), seconds, facts, note, audio };
}

async function orUndefined<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isOfThePackage(error)) return undefined;
    throw error;
  }
}
