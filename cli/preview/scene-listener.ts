import { join } from "node:path";
import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import { type SoundMeasures, SoundMeter } from "../../core/audio/sound-meter.ts";
import { loopFramesOf } from "../../core/findings/find-all.ts";
import type { Finding } from "../../core/findings/finding.ts";
import { judgePackage, type PlacedSound, usableSounds } from "../layout/hear-package.ts";
import { readAudio } from "../layout/read-audio.ts";
import type { FolderPackage } from "../layout/read-package-folder.ts";

/** A file that was listened to. */
interface HeardFile {
  /** Changes with the file and with where its loop ends. */
  readonly state: string;
  /** null if it couldn't be read. */
  readonly measures: SoundMeasures | null;
}

/**
 * Listens to packages in the background, one sound at a time (rule V18). Remembers what it heard, so that a file is read
 * again only when it or its loop has changed.
 */
export class SceneListener implements AsyncDisposable {
  readonly #onHeard: () => void;
  readonly #aborting = new AbortController();
  readonly #heard = new Map<string, HeardFile>();
  #waiting: readonly FolderPackage[] = [];
  #listening: Promise<void> | undefined;

  /** @param onHeard called when packages were heard: after the first one, then less and less often, and at the end */
  constructor(onHeard: () => void) {
    this.#onHeard = onHeard;
  }

  /** The findings of a package; null until all its sounds have been heard. */
  findingsOf(pkg: FolderPackage): readonly Finding[] | null {
    const measures = new Map<string, SoundMeasures>();
    for (const placed of usableSounds(pkg)) {
      const heard = this.#heardOf(pkg, placed);
      if (heard === undefined) return null;
      if (heard.measures !== null) measures.set(placed.sound.id, heard.measures);
    }
    return judgePackage(pkg, measures);
  }

  /** Listens to these packages, instead of those that still wait. */
  listen(packages: readonly FolderPackage[]): void {
    this.#waiting = packages;
    if (packages.length === 0 || this.#aborting.signal.aborted) return;
    this.#listening ??= this.#listen().finally(() => {
      this.#listening = undefined;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#aborting.abort();
    await this.#listening;
  }

  async #listen(): Promise<void> {
    // Each call of the listener shows all scenes, so their number must not grow with that of the packages.
    let [heard, shown] = [0, 0];
    for (let pkg = this.#next(); pkg !== undefined; pkg = this.#next()) {
      for (const placed of usableSounds(pkg)) {
        if (this.#heardOf(pkg, placed) === undefined) await this.#hear(pkg, placed);
        if (this.#aborting.signal.aborted) return;
      }
      heard += 1;
      if (this.#waiting.length > 0 && heard < shown * 1.5) continue;
      shown = heard;
      this.#onHeard();
    }
  }

  #next(): FolderPackage | undefined {
    const [next, ...others] = this.#waiting;
    this.#waiting = others;
    return next;
  }

  async #hear(pkg: FolderPackage, placed: PlacedSound): Promise<void> {
    const { signal } = this.#aborting;
    const { sound, header } = placed;
    const meter = new SoundMeter(header, loopFramesOf(placed));
    const add = (channels: readonly Float32Array[]): void => {
      signal.throwIfAborted();
      meter.add(channels);
    };
    let measures: SoundMeasures | null = null;
    try {
      await readAudio(pkg.local, sound, header, [{ add }]);
      measures = meter.finish();
    } catch (error) {
      if (!signal.aborted && !(error instanceof LocalPackageError)) throw error;
    }
    this.#heard.set(pathOf(pkg, placed), { state: stateOf(placed), measures });
  }

  #heardOf(pkg: FolderPackage, placed: PlacedSound): HeardFile | undefined {
    const heard = this.#heard.get(pathOf(pkg, placed));
    return heard?.state === stateOf(placed) ? heard : undefined;
  }
}

/** Two sounds of a package may share a file, but not their loop. */
function pathOf({ local }: FolderPackage, { sound }: PlacedSound): string {
  return `${join(local.folder, sound.file)} ${sound.id}`;
}

function stateOf(placed: PlacedSound): string {
  return `${placed.header.fingerprint} ${loopFramesOf(placed)}`;
}
