import type { PageSound } from "../sounds/page-sound.ts";

const NAME = "soundferry";
const VERSION = 1;
const DRAFTS = "drafts";
const AUDIO = "audio";

/** Stores the drafts of all tabs in IndexedDB: their descriptions, and each sound's WAV separately. */
export class DraftDatabase {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
  }

  /** Opens the database. @throws {DOMException} where the browser stores nothing, such as in some private windows */
  static async open(): Promise<DraftDatabase> {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(DRAFTS, { keyPath: "id" });
      request.result.createObjectStore(AUDIO);
    };
    const database = await answerOf(request);
    // Another tab has a newer version of the page.
    database.onversionchange = () => database.close();
    return new DraftDatabase(database);
  }

  /** Lists every draft, newest first. */
  async list(): Promise<readonly StoredDraft[]> {
    const drafts = this.#database.transaction(DRAFTS).objectStore(DRAFTS);
    const all: readonly StoredDraft[] = await answerOf(drafts.getAll());
    return all.toSorted((one, other) => other.changedAt - one.changedAt);
  }

  async write(draft: StoredDraft): Promise<void> {
    const transaction = this.#database.transaction(DRAFTS, "readwrite");
    transaction.objectStore(DRAFTS).put(draft);
    await endOf(transaction);
  }

  /** Reads a sound's WAV; undefined if it was not stored. */
  async readAudio(draftId: string, key: string): Promise<Blob | undefined> {
    const audio = this.#database.transaction(AUDIO).objectStore(AUDIO);
    const found: unknown = await answerOf(audio.get([draftId, key]));
    return found instanceof Blob ? found : undefined;
  }

  /** Stores a sound's WAV. @throws {DOMException} `QuotaExceededError` if the browser has no room */
  async writeAudio(draftId: string, key: string, wav: Blob): Promise<void> {
    const transaction = this.#database.transaction(AUDIO, "readwrite");
    transaction.objectStore(AUDIO).put(wav, [draftId, key]);
    await endOf(transaction);
  }

  async deleteAudio(draftId: string, key: string): Promise<void> {
    const transaction = this.#database.transaction(AUDIO, "readwrite");
    transaction.objectStore(AUDIO).delete([draftId, key]);
    await endOf(transaction);
  }

  /** Deletes the draft with all its sounds. */
  async delete(draftId: string): Promise<void> {
    const transaction = this.#database.transaction([DRAFTS, AUDIO], "readwrite");
    transaction.objectStore(DRAFTS).delete(draftId);
    // The range has every key that begins with the id, because lists sort after strings.
    transaction.objectStore(AUDIO).delete(IDBKeyRange.bound([draftId], [draftId, []]));
    await endOf(transaction);
  }
}

function answerOf<Answer>(request: IDBRequest<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(reasonOf(request.error)));
  });
}

/** Resolves when the transaction has been stored. */
function endOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve());
    transaction.addEventListener("abort", () => reject(reasonOf(transaction.error)));
  });
}

function reasonOf(error: DOMException | null): DOMException {
  return error ?? new DOMException("The browser gave no reason.", "UnknownError");
}

/** A stored sound, whose WAV is stored separately. */
type StoredSound = Omit<PageSound, "source">;

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
  readonly sounds: readonly StoredSound[];
  /** Keys of the selected sounds, and of the one that the detail view shows. */
  readonly selected: readonly string[];
  readonly active: string | null;
}

/** The version that this page reads and writes. */
export const DRAFT_VERSION = 1;
