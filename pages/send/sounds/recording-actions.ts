import { Recorder } from "../../../client/audio/recorder.ts";
import { formatMicrophone } from "../../../client/send/words/explain.ts";
import { MAX_PACKAGE_BYTES } from "../../../core/limits.ts";
import { t } from "../../kit/page-language.ts";
import type { PageStore } from "../page-view.ts";
import type { SoundActions } from "./sound-actions.ts";
import { bytesOf } from "./page-sound.ts";

/** Interval at which length and level are shown. */
const INTERVAL_MS = 100;

/** Records from the microphone; each recording becomes a sound. */
export class RecordingActions {
  readonly #store: PageStore;
  readonly #sounds: SoundActions;
  #recorder: Recorder | null = null;
  #timer = 0;
  #count = 0;

  constructor(store: PageStore, sounds: SoundActions) {
    this.#store = store;
    this.#sounds = sounds;
  }

  /** Asks for the microphone and records. Never rejects; does nothing while it records. */
  async start(): Promise<void> {
    if (this.#store.view.recording !== null) return;
    this.#store.change({ recording: { seconds: null, level: 0 }, recordError: null });
    try {
      this.#recorder = await Recorder.start(() => void this.stop());
      this.#timer = setInterval(() => this.#show(), INTERVAL_MS);
      this.#store.change({ announcement: t("page.recordingStarted") });
      this.#show();
    } catch (error) {
      this.#store.change({ recording: null, recordError: formatMicrophone(t, error) });
    }
  }

  /** Ends the recording and adds it to the sounds. Does nothing while nothing is recorded. */
  async stop(): Promise<void> {
    const recorder = this.#recorder;
    if (recorder === null) return;
    this.#recorder = null;
    clearInterval(this.#timer);
    const { wav, lostSeconds } = await recorder.stop();
    this.#store.change({ recording: null });
    this.#count += 1;
    const file = new File([wav], this.#nameOf(this.#count), { type: wav.type });
    await this.#sounds.add([{ file, folderName: null }]);
    if (lostSeconds > 0) this.#store.change({ recordError: t("page.recordingGap") });
  }

  /** Returns the first name that no sound has, because earlier recordings survive a reload. */
  #nameOf(number: number): string {
    const name = `${t("page.recordingName", { number: String(number) })}.wav`;
    if (this.#store.view.sounds.every(({ fileName }) => fileName !== name)) return name;
    this.#count = number + 1;
    return this.#nameOf(number + 1);
  }

  #show(): void {
    const recorder = this.#recorder;
    if (recorder === null) return;
    this.#store.change({ recording: { seconds: recorder.seconds, level: recorder.level() } });
    const others = bytesOf(this.#store.view.sounds);
    // An eighth of the limit has room for one more block, which may still come.
    if (others + recorder.sizeBytes > (MAX_PACKAGE_BYTES * 7) / 8) void this.stop();
  }
}
