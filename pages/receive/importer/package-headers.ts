import { readWavHeaderAt } from "../../../core/audio/read-wav-header-at.ts";
import type { WavHeader } from "../../../core/audio/wav-header.ts";
import { soundPartIn } from "../../../core/importer/sound-part.ts";
import { isOwnRefusal, notTheSound } from "../../../core/importer/relay-errors.ts";
import type { ImportablePackage } from "../../../core/protocol/importer-api.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { PLAY_BYTES } from "../../../core/audio/sound-limits.ts";
import { runSentence } from "../../../core/protocol/run-sentences.ts";
import type { RelayCalls } from "./relay/relay-calls.ts";

/** Number of packages whose headers are kept in memory. */
const MAX_CACHED = 100;
const READS_AT_ONCE = 4;

/** Sound id → its header, or a sentence that says why it can't be used. */
export type ReadHeaders = ReadonlyMap<string, WavHeader | { readonly error: string }>;

/** Reads sounds at the relay before an import: only their headers, or one as a whole to play it. */
export class PackageHeaders {
  readonly #calls: RelayCalls;
  readonly #known = new Map<string, Promise<ReadHeaders>>();

  constructor(calls: RelayCalls) {
    this.#calls = calls;
  }

  /** Reads the headers of a package's sounds, which never change. @throws {Error} with a sentence, if the relay can't be asked */
  of(listed: ImportablePackage): Promise<ReadHeaders> {
    const { package_id: id } = listed;
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const reading = this.#read(listed);
    this.#known.set(id, reading);
    reading.catch(() => this.#known.delete(id));
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_CACHED && oldest !== undefined) this.#known.delete(oldest);
    return reading;
  }

  /** Fetches a whole sound. @throws {Error} with a sentence; before the download if it is too large to play */
  async sound(listed: ImportablePackage, soundId: string, signal: AbortSignal): Promise<Blob> {
    const sound = listed.manifest.items.find(({ id }) => id === soundId);
    const path = sound && listed.files[sound.file];
    if (sound === undefined || path === undefined) {
      throw new Error(runSentence("FILE_NOT_AT_RELAY", { file: sound?.file ?? soundId }));
    }
    if (sound.bytes > PLAY_BYTES) throw new Error("This sound is too large to play here.");
    const answer = await this.#calls.open(path, signal);
    return (await this.#sound(answer)).blob();
  }

  async #read({ manifest, files }: ImportablePackage): Promise<ReadHeaders> {
    const headers = new Map<string, WavHeader | { readonly error: string }>();
    const rest = [...manifest.items];
    const readOn = async (): Promise<void> => {
      for (let sound = rest.shift(); sound !== undefined; sound = rest.shift()) {
        const { id, file, bytes } = sound;
        headers.set(id, await this.#header(files[file], { file, bytes }));
      }
    };
    await Promise.all(Array.from({ length: READS_AT_ONCE }, readOn));
    return headers;
  }

  async #header(
    path: string | undefined,
    { file, bytes }: { readonly file: string; readonly bytes: number },
  ): Promise<WavHeader | { readonly error: string }> {
    if (path === undefined) return { error: runSentence("FILE_NOT_AT_RELAY", { file }) };
    const readAt = async (offset: number, length: number) => {
      const answer = await this.#calls.open(path, AbortSignal.timeout(30_000), { offset, length });
      const part = await (await this.#sound(answer, offset)).arrayBuffer();
      return new Uint8Array(part).subarray(0, length);
    };
    try {
      return await readWavHeaderAt(readAt, bytes, file);
    } catch (error) {
      if (error instanceof Refusal || isOwnRefusal(error)) return { error: error.message };
      throw error;
    }
  }

  /** Checks that an answer is the sound, from an offset on. */
  async #sound(answer: Response, offset = 0): Promise<Response> {
    const part = soundPartIn(answer.status, (name) => answer.headers.get(name));
    if (part?.startByte === offset) return answer;
    await answer.body?.cancel();
    throw notTheSound(this.#calls.host);
  }
}
