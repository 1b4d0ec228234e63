import { open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Layout } from "../../../../core/layout/layout.ts";
import { Refusal } from "../../../../core/protocol/refusal.ts";
import { clashKey } from "../../../../core/text/file-name.ts";
import { usableTracks } from "../../../../core/layout/usable-tracks.ts";
import type { PlacedSound } from "../../../../core/report/placed-sound.ts";
import { type HostJournal, HostStepError, type PlaceRequest } from "../../host.ts";
import { readWavHeader } from "../../../disk/read-at.ts";
import { resolvePath } from "../../live-path.ts";
import type { SoundAudio } from "./plan-request.ts";
import { withoutPeriod } from "./control-surface-error.ts";

/** The files of one placement, copied into the project where that is possible, and their lengths. */
export class PlacementFiles {
  /** The audio that the clips will play, by sound id. */
  readonly audio = new Map<string, SoundAudio>();
  /** The ids of the sounds whose file was copied into the project. */
  readonly inProject = new Set<string>();
  /** Notes in sentences, by sound id. */
  readonly notes = new Map<string, readonly string[]>();
  readonly #request: Pick<PlaceRequest, "layout" | "files" | "journal" | "signal">;
  readonly #bringFile: ((path: string) => Promise<string>) | undefined;
  readonly #errors = new Map<string, string>();

  constructor(
    request: Pick<PlaceRequest, "layout" | "files" | "journal" | "signal">,
    bringFile: ((path: string) => Promise<string>) | undefined,
  ) {
    this.#request = request;
    this.#bringFile = bringFile;
  }

  /** Reads all files. A file that can't be read fails its sound. */
  async read(): Promise<void> {
    const { layout, files, signal } = this.#request;
    for (const { soundId, clipName } of usableTracks(layout)) {
      const path = files.get(soundId);
      if (path === undefined) throw new RangeError(`${soundId} has no file.`);
      try {
        const audio = await readSoundAudio(path);
        const brought = await this.#bring(soundId, clipName, audio.path);
        this.audio.set(soundId, { ...audio, path: brought });
      } catch (error) {
        if (!isOfTheFile(error)) throw error;
        const reason = error instanceof Refusal ? error.message : "it can't be read";
        this.#errors.set(soundId, `${clipName}: ${withoutPeriod(reason)}.`);
      }
      signal.throwIfAborted();
    }
  }

  /** Returns the layout without the sounds that failed. */
  usableIn(layout: Layout): Layout {
    return { ...layout, tracks: layout.tracks.filter(({ soundId }) => this.audio.has(soundId)) };
  }

  failed(): readonly PlacedSound[] {
    return [...this.#errors].map(([soundId, error]) => ({ soundId, error }));
  }

  addNote(soundId: string, note: string): void {
    this.notes.set(soundId, [...(this.notes.get(soundId) ?? []), note]);
  }

  /** Returns the folders with the files that the clips will play: the package's, and those of Live's copies. */
  folders(): readonly string[] {
    return [...new Set([...this.audio.values()].map(({ path }) => dirname(path)))];
  }

  /** Returns the paths of the importer's own files that clips will play. */
  ownPaths(): readonly string[] {
    return [...this.audio.keys()].flatMap((soundId) => this.ownPathOf(soundId) ?? []);
  }

  ownPathOf(soundId: string): string | undefined {
    return this.inProject.has(soundId) ? undefined : this.#request.files.get(soundId);
  }

  /** Returns the path of the file's copy in the project, or its own where Live makes none. */
  async #bring(soundId: string, clipName: string, path: string): Promise<string> {
    const bringFile = this.#bringFile;
    if (bringFile === undefined) return path;
    const brought = await takeIntoProject(path, {
      clipName,
      journal: this.#request.journal,
      bringFile: async (own) => resolvePath(await bringFile(own)),
      addNote: (note) => this.addNote(soundId, note),
    });
    if (brought.isCopy) this.inProject.add(soundId);
    return brought.path;
  }
}

/**
 * Copies a file into Live's project as a step (rule H3). A refusal becomes a note.
 * @returns the copy's path, or the file's own where Live made no copy: then it must not be deleted
 */
export async function takeIntoProject(
  path: string,
  {
    clipName,
    journal,
    bringFile,
    addNote,
  }: {
    readonly clipName: string;
    readonly journal: HostJournal;
    readonly bringFile: (path: string) => Promise<string>;
    readonly addNote: (note: string) => unknown;
  },
): Promise<{ readonly path: string; readonly isCopy: boolean }> {
  let taken = path;
  try {
    const take = async () => {
      taken = await bringFile(path);
    };
    const label = `take the file of ${clipName} into the project`;
    await journal.step(label, take, { leavesNothing: true });
  } catch (error) {
    if (!(error instanceof HostStepError)) throw error;
    addNote(error.message);
  }
  return { path: taken, isCopy: clashKey(taken) !== clashKey(path) };
}

/** Checks whether an error concerns one file only. */
function isOfTheFile(error: unknown): boolean {
  return error instanceof Refusal || (error instanceof Error && "syscall" in error);
}

/**
 * Reads the facts about a file that the plan needs: its path without links, its frames and its rate.
 * @throws {Refusal} when it isn't a usable WAV (rule U4)
 * @throws {unknown} the disk's error
 */
async function readSoundAudio(path: string): Promise<SoundAudio> {
  const resolved = await resolvePath(path);
  await using file = await open(resolved);
  const { frames, sampleRateHz } = await readWavHeader(file, path);
  return { path: resolved, frames, sampleRateHz };
}
