import { join } from "node:path";
import type { Finding } from "../../core/findings/finding.ts";
import {
  type HeardFile,
  type HeardPackage,
  hearFile,
  hearPackage,
  type SoundFile,
} from "../layout/hear-package.ts";
import type { PackageAudio } from "../layout/read-package-audio.ts";
import type { FolderPackage } from "../layout/read-package-folder.ts";

/** A file that was read. */
interface KnownFile extends HeardFile {
  /** Changes with the file, and with whether the manifest has its checksum. */
  readonly state: string;
  readonly loopFrames: number | undefined;
}

/** The audio and findings of a package that are known without reading a file. */
export interface KnownPackage {
  readonly audio: PackageAudio;
  /** null while a loop ends elsewhere than when its file was read. */
  readonly findings: readonly Finding[] | null;
}

/** A package that waits to be read. */
interface WaitingPackage {
  readonly pkg: FolderPackage;
  /** Set to report it as soon as it was read. */
  readonly isUrgent: boolean;
}

type OnHeard = (heard: ReadonlyMap<FolderPackage, HeardPackage>) => Promise<void>;

/**
 * Reads the sounds of packages in the background, one at a time, for the golden and for findings (rule V18). Remembers a
 * kilobyte for each sound, so that a file is read again only when it or its loop has changed.
 */
export class SceneListener implements AsyncDisposable {
  readonly #onHeard: OnHeard;
  readonly #hearFile: typeof hearFile;
  readonly #aborting = new AbortController();
  readonly #known = new Map<string, KnownFile>();
  /** The packages that were read and not yet reported. */
  readonly #heard = new Map<FolderPackage, HeardPackage>();
  #waiting: readonly WaitingPackage[] = [];
  #isListening = false;
  #listening = Promise.resolve();

  /**
   * @param onHeard gets packages that were read: after the first one, then less and less often, after urgent ones and at
   *   the end
   */
  constructor(onHeard: OnHeard, hear = hearFile) {
    this.#onHeard = onHeard;
    this.#hearFile = hear;
  }

  /** Returns what is known of a package; undefined if a file of it must be read. */
  async recall(pkg: FolderPackage): Promise<KnownPackage | undefined> {
    const broken = [...pkg.headers.values()].filter((header) => "error" in header);
    // What isn't a WAV may have to be hashed.
    if (broken.some(({ otherSize }) => otherSize !== undefined && !otherSize.wav)) return undefined;
    let isComplete = true;
    try {
      const { audio, findings } = await hearPackage(pkg, async (file) => {
        const known = this.#recallFile(file);
        if (known === undefined) throw new UnknownFile();
        isComplete &&= known.loopFrames === file.loopFrames;
        return known;
      });
      return { audio, findings: isComplete ? findings : null };
    } catch (error) {
      if (error instanceof UnknownFile) return undefined;
      throw error;
    }
  }

  /** Reads these packages in this order, instead of those that still wait. */
  listen(waiting: readonly WaitingPackage[]): void {
    this.#waiting = waiting;
    if (waiting.length === 0 || this.#isListening || this.#aborting.signal.aborted) return;
    this.#isListening = true;
    this.#listening = this.#listen();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#aborting.abort();
    await this.#listening;
  }

  async #listen(): Promise<void> {
    try {
      // Each report shows all scenes, so their number must not grow with that of the packages.
      let [read, reported] = [0, 0];
      for (let pkg = this.#next(); pkg !== undefined; pkg = this.#next()) {
        this.#heard.set(pkg, await hearPackage(pkg, (file) => this.#hear(file)));
        read += 1;
        const isUrgent = this.#waiting.some((one) => one.isUrgent && this.#heard.has(one.pkg));
        if (this.#next() !== undefined && !isUrgent && read < reported * 1.5) continue;
        reported = read;
        await this.#onHeard(this.#heard);
        this.#waiting = this.#waiting.filter((one) => !this.#heard.has(one.pkg));
        this.#heard.clear();
      }
    } catch (error) {
      if (!this.#aborting.signal.aborted) throw error;
    } finally {
      this.#isListening = false;
    }
  }

  #next(): FolderPackage | undefined {
    return this.#waiting.find(({ pkg }) => !this.#heard.has(pkg))?.pkg;
  }

  async #hear(file: SoundFile): Promise<HeardFile> {
    const known = this.#recallFile(file);
    if (known !== undefined && known.loopFrames === file.loopFrames) return known;
    const { signal } = this.#aborting;
    signal.throwIfAborted();
    const heard = await this.#hearFile(file, [{ add: () => signal.throwIfAborted() }]);
    const { loopFrames } = file;
    this.#known.set(pathOf(file), { ...heard, state: stateOf(file), loopFrames });
    return heard;
  }

  /** Returns what was read of a file, with what the manifest says of the sound now. */
  #recallFile(file: SoundFile): KnownFile | undefined {
    const known = this.#known.get(pathOf(file));
    if (known?.state !== stateOf(file)) return undefined;
    const { audio } = known;
    return {
      ...known,
      audio: { ...audio, json: { ...audio.json, role: file.sound.role ?? null } },
    };
  }
}

/** A file must be read before its package is known. */
class UnknownFile extends Error {}

/** Two sounds of a package may share a file, but not their loop. */
function pathOf({ local, sound }: SoundFile): string {
  return `${join(local.folder, sound.file)} ${sound.id}`;
}

function stateOf({ header, sound }: SoundFile): string {
  return `${header.fingerprint} ${sound.sha256 === undefined}`;
}
