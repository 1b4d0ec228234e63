import { MAX_PACKAGE_BYTES } from "../../../core/limits.ts";
import { MAX_SESSION_BYTES } from "./session-packing.ts";
import type { RunningRecorder } from "./audio-tools.ts";
import { formatMicrophone } from "../words/explain.ts";
import { bytesOf } from "./session-sound.ts";
import type { SessionSounds, SoundDeps } from "./session-sounds.ts";

/** Interval at which length and level are shown. */
const INTERVAL_MS = 100;

/** Records from the microphone; each recording becomes a sound. No method rejects. */
export class SessionRecording {
  readonly #deps: SoundDeps;
  readonly #sounds: SessionSounds;
  #recorder: RunningRecorder | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;
  #count = 0;

  constructor(deps: SoundDeps, sounds: SessionSounds) {
    this.#deps = deps;
    this.#sounds = sounds;
  }

  /** Starts a recording, or ends the running one. */
  async toggle(): Promise<void> {
    await (this.#deps.store.view.recording === null ? this.#start() : this.stop());
  }

  /** Ends the recording and adds it to the sounds. Does nothing while nothing is recorded. */
  async stop(): Promise<void> {
    const { store, t } = this.#deps;
    const recorder = this.#release();
    if (recorder === null) return;
    const { wav, lostSeconds } = await recorder.stop();
    store.change({ recording: null });
    await this.#sounds.add([{ source: new File([wav], this.#nextName(), { type: wav.type }) }]);
    if (lostSeconds > 0) store.change({ error: t("page.recordingGap") });
  }

  /** Releases the microphone and discards the recording. */
  cancel(): void {
    this.#release()?.cancel();
    this.#deps.store.change({ recording: null });
  }

  async #start(): Promise<void> {
    const { store, t, emit, audio } = this.#deps;
    store.change({ recording: { seconds: null, level: 0 }, error: null });
    try {
      this.#recorder = await audio.Recorder.start(() => void this.stop());
      this.#timer = setInterval(() => this.#show(), INTERVAL_MS);
      store.change({ announcement: t("page.recordingStarted") });
      this.#show();
    } catch (error) {
      store.change({ recording: null, error: formatMicrophone(t, error) });
      emit?.("error", { error });
    }
  }

  /** Returns the first name that no sound has, because earlier recordings survive a reload. */
  #nextName(): string {
    const { store, t } = this.#deps;
    this.#count += 1;
    const name = `${t("page.recordingName", { number: String(this.#count) })}.wav`;
    const isFree = store.view.sounds.every(({ fileName }) => fileName !== name);
    return isFree ? name : this.#nextName();
  }

  #release(): RunningRecorder | null {
    const recorder = this.#recorder;
    this.#recorder = null;
    clearInterval(this.#timer);
    return recorder;
  }

  #show(): void {
    const { store } = this.#deps;
    const recorder = this.#recorder;
    if (recorder === null) return;
    store.change({ recording: { seconds: recorder.seconds, level: recorder.level() } });
    // An eighth of a package has room for one more block, which may still come.
    const spare = MAX_PACKAGE_BYTES / 8;
    const left = MAX_SESSION_BYTES - bytesOf(store.view.sounds);
    if (recorder.sizeBytes > Math.min(left, MAX_PACKAGE_BYTES) - spare) void this.stop();
  }
}
