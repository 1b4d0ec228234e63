import { ObjectDatabase } from "../../../client/keeping/object-database.ts";
import type { SessionSound } from "../../../client/send/session/session-sound.ts";
import type {
  Attempt,
  PackAnswer,
  RefusedSound,
  Series,
} from "../../../client/send/session/session-view.ts";

/** Stores the drafts of all tabs in IndexedDB: their descriptions, and each sound's WAV separately. */
export class DraftDatabase {
  readonly #database = new ObjectDatabase<{ drafts: StoredDraft; audio: StoredAudio }>(
    "soundferry-drafts",
    ["drafts", "audio"],
  );

  /** Lists every draft, newest first. @throws where the browser stores nothing, such as in some private windows */
  async list(): Promise<readonly StoredDraft[]> {
    const all = await this.#database.transact("readonly", (storeOf) => storeOf("drafts").getAll());
    return all.toSorted((one, other) => other.changedAt - one.changedAt);
  }

  async write(draft: StoredDraft): Promise<void> {
    await this.#database.transact("readwrite", (storeOf) => storeOf("drafts").put(draft));
  }

  /** Reads a sound's WAV; undefined if it was not stored. */
  async readAudio(draftId: string, key: string): Promise<Blob | undefined> {
    const id = audioId(draftId, key);
    const found = await this.#database.transact("readonly", (storeOf) => storeOf("audio").get(id));
    return found?.wav;
  }

  /** Stores a sound's WAV. @throws {DOMException} `QuotaExceededError` if the browser has no room */
  async writeAudio(draftId: string, key: string, wav: Blob): Promise<void> {
    const id = audioId(draftId, key);
    await this.#database.transact("readwrite", (storeOf) => storeOf("audio").put({ id, wav }));
  }

  async deleteAudio(draftId: string, key: string): Promise<void> {
    const id = audioId(draftId, key);
    await this.#database.transact("readwrite", (storeOf) => storeOf("audio").delete(id));
  }

  /** Deletes the draft with all its sounds. */
  async delete(draftId: string): Promise<void> {
    // Every id of the draft's sounds lies between these.
    const sounds = IDBKeyRange.bound(audioId(draftId, ""), audioId(draftId, "\uffff"));
    await this.#database.transact("readwrite", (storeOf) => {
      storeOf("audio").delete(sounds);
      return storeOf("drafts").delete(draftId);
    });
  }
}

function audioId(draftId: string, key: string): string {
  return `${draftId}/${key}`;
}

interface StoredAudio {
  readonly id: string;
  readonly wav: Blob;
}

/** A package that a person has put together and not sent yet. */
export interface StoredDraft {
  /** Version of the stored shape; other versions are not read. */
  readonly version: typeof DRAFT_VERSION;
  /** Id of the draft, which one tab works on. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  readonly title: string | null;
  readonly bpm: string | null;
  /** The sounds, whose WAVs are stored separately. */
  readonly sounds: readonly Omit<SessionSound, "source">[];
  /** The files that can't be sent. */
  readonly refused: readonly RefusedSound[];
  /** Keys of the selected sounds, and of the one that the detail view shows. */
  readonly selected: readonly string[];
  readonly active: string | null;
  /** The chosen way to send them if one package can't hold them. */
  readonly packAnswer: PackAnswer | null;
  /** The rest of several packages. */
  readonly series: Series | null;
  /** The attempt to send them that did not end. */
  readonly attempt: Attempt | null;
}

/** The version that this page reads and writes. */
export const DRAFT_VERSION = 4;
