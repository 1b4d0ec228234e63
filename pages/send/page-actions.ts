import { type Questions, questionsOf } from "../../client/send/session/open-questions.ts";
import type { SoundEdits } from "../../client/send/session/session-sound.ts";
import type { SessionSounds } from "../../client/send/session/session-sounds.ts";
import { type ClipSelection, NO_SELECTION } from "../kit/clip-list/clip-row.ts";
import type { PageStore } from "./page-view.ts";
import { storeSender } from "./pairing/sender.ts";
import type { FoundFile } from "./sounds/sound-files.ts";

/** A person's actions on this page besides those of its session. */
export class PageActions {
  readonly #store: PageStore;
  readonly #sounds: SessionSounds;

  constructor(store: PageStore, sounds: SessionSounds) {
    this.#store = store;
    this.#sounds = sounds;
  }

  /** Shows the new package and adds files to it. @param unreadable names of files that the browser could not open */
  async add(files: readonly FoundFile[], unreadable: readonly string[] = []): Promise<void> {
    this.show(null);
    const sounds = files.map(({ file, folderName }) => ({ source: file, folderName }));
    await this.#sounds.add(sounds, { unreadable });
  }

  /** Shows a sent package, or the new one. */
  show(packageId: string | null): void {
    this.#store.change({ shown: packageId, sentSelection: NO_SELECTION });
  }

  /** Selects sounds of the new package. */
  select(selection: ClipSelection): void {
    this.#store.change({ selection });
  }

  /** Selects sounds of the sent package. */
  selectSent(sentSelection: ClipSelection): void {
    this.#store.change({ sentSelection });
  }

  /** Answers a question for all sounds in question. */
  answer(question: keyof Questions, edits: SoundEdits): void {
    const asked = questionsOf(this.#store.view)[question];
    this.#sounds.edit(new Set(asked.map(({ key }) => key)), edits);
  }

  /** Answers for all loops without a tempo: sets the likely length of each. */
  answerLikelyTempo(): void {
    for (const { key, guess } of questionsOf(this.#store.view).tempo) {
      if (guess.likely === null) continue;
      this.#sounds.edit(new Set([key]), { lengthBeats: String(guess.likely.lengthBeats) });
    }
  }

  /** Opens or closes the list of files that can't be sent. */
  listRefused(isListingRefused: boolean): void {
    this.#store.change({ isListingRefused });
  }

  /** Sets the name under which this browser pairs and sends. */
  nameSender(sender: string): void {
    storeSender(sender);
    this.#store.change({ sender });
  }
}
