import { wasSent } from "../sending/sent-notes.ts";
import { t } from "../../kit/page-language.ts";
import type { PageStore, PageView } from "../page-view.ts";
import type { SessionSound } from "../../../client/send/session/session-sound.ts";
import type { SessionSounds } from "../../../client/send/session/session-sounds.ts";
import { claimDraft, isDraftFree } from "./claim-draft.ts";
import { DraftDatabase, DRAFT_VERSION, type StoredDraft } from "./draft-database.ts";

/** Time after which a draft that nobody has opened is deleted. */
const KEPT_MS = 7 * 86_400_000;

/** The part of the view that is a draft. */
type Draft = Pick<PageView, "title" | "bpm" | "sounds" | "refused" | "selection" | "attempt">;

/** Stores the draft after each change, and restores it when the page opens. */
export class DraftKeeper {
  readonly #store: PageStore;
  readonly #database: DraftDatabase;
  readonly #id: string;
  /** Keys of the sounds whose WAV is stored. */
  readonly #stored = new Set<string>();
  #kept: Draft | null = null;
  /** The last write; writes happen one after another. */
  #writing: Promise<void> = Promise.resolve();
  /** Set until the next write begins, which includes every change until then. */
  #isQueued = false;

  private constructor(store: PageStore, database: DraftDatabase, id: string) {
    this.#store = store;
    this.#database = database;
    this.#id = id;
  }

  /** Restores the draft and keeps it from now on. Never rejects; returns null where the browser stores nothing. */
  static async start(store: PageStore, sounds: SessionSounds): Promise<DraftKeeper | null> {
    try {
      const database = new DraftDatabase();
      const drafts = await database.list();
      const id = await claimDraft(drafts.map((draft) => draft.id));
      const keeper = new DraftKeeper(store, database, id);
      const own = drafts.find((draft) => draft.id === id);
      // The page may have ended after the package was sent and before its draft was deleted.
      const isSent = own?.attempt?.isCurrent === true && wasSent(own.attempt.id);
      if (isSent) await database.delete(id);
      else if (own?.version === DRAFT_VERSION) await keeper.#restore(own, sounds);
      keeper.#follow();
      void keeper.#deleteOld(drafts);
      return keeper;
    } catch {
      // In a private window, for example, the draft lasts until the page is closed.
      return null;
    }
  }

  /** Stores the draft now. Never rejects. */
  async flush(): Promise<void> {
    this.#write();
    await this.#writing;
  }

  async #restore(draft: StoredDraft, session: SessionSounds): Promise<void> {
    const read = await Promise.all(
      draft.sounds.map(async (sound): Promise<SessionSound | undefined> => {
        const source = await this.#database.readAudio(this.#id, sound.key);
        return source && { ...sound, source };
      }),
    );
    const found = read.filter((sound) => sound !== undefined);
    for (const { key } of found) this.#stored.add(key);
    const { title, bpm, refused, selected, active, attempt } = draft;
    const { view } = this.#store;
    const isWhole = found.length === draft.sounds.length && view.sounds.length === 0;
    this.#store.change({
      title: view.title ?? title,
      bpm: view.bpm ?? bpm,
      refused: [...refused, ...view.refused],
      selection: { keys: new Set(selected), active },
    });
    session.restore(found);
    const isCurrent = attempt?.isCurrent === true && isWhole;
    this.#store.change({ attempt: attempt && { ...attempt, isCurrent } });
  }

  #follow(): void {
    this.#kept = draftOfView(this.#store.view);
    this.#store.subscribe(() => {
      if (isSame(this.#kept, this.#store.view)) return;
      this.#kept = draftOfView(this.#store.view);
      this.#write();
    });
    addEventListener("pagehide", () => void this.flush());
  }

  #write(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    this.#writing = this.#writing.then(async () => {
      this.#isQueued = false;
      const draft = draftOfView(this.#store.view);
      try {
        await this.#writeDraft(draft);
        if (this.#store.view.keepTrouble !== null) this.#store.change({ keepTrouble: null });
      } catch (error) {
        this.#store.change({ keepTrouble: formatTrouble(error) });
      }
    });
  }

  /** Writes as much as there is room for. A sound that can't be stored doesn't prevent others. */
  async #writeDraft({ title, bpm, sounds, refused, selection, attempt }: Draft): Promise<void> {
    let failure: unknown;
    for (const { key, source } of sounds) {
      if (this.#stored.has(key)) continue;
      try {
        await this.#database.writeAudio(this.#id, key, source);
        this.#stored.add(key);
      } catch (error) {
        failure = error;
      }
    }
    if (sounds.length + refused.length === 0 && title === null && bpm === null) {
      await this.#database.delete(this.#id);
      this.#stored.clear();
      return;
    }
    const keys = new Set(sounds.map(({ key }) => key));
    for (const key of this.#stored) {
      if (keys.has(key)) continue;
      await this.#database.deleteAudio(this.#id, key);
      this.#stored.delete(key);
    }
    await this.#database.write({
      version: DRAFT_VERSION,
      id: this.#id,
      changedAt: Date.now(),
      title,
      bpm,
      sounds: sounds
        .filter(({ key }) => this.#stored.has(key))
        .map(({ source: _source, ...sound }) => sound),
      refused,
      selected: [...selection.keys],
      active: selection.active,
      attempt,
    });
    if (failure !== undefined) throw failure;
  }

  async #deleteOld(drafts: readonly StoredDraft[]): Promise<void> {
    for (const { id, changedAt } of drafts) {
      const isOld = changedAt < Date.now() - KEPT_MS;
      if (id !== this.#id && isOld && (await isDraftFree(id))) {
        // The next page retries this.
        await this.#database.delete(id).catch(() => {});
      }
    }
  }
}

function draftOfView({ title, bpm, sounds, refused, selection, attempt }: PageView): Draft {
  return { title, bpm, sounds, refused, selection, attempt };
}

function isSame(one: Draft | null, other: Draft): boolean {
  return (
    one?.title === other.title &&
    one.bpm === other.bpm &&
    one.sounds === other.sounds &&
    one.refused === other.refused &&
    one.selection === other.selection &&
    one.attempt === other.attempt
  );
}

function formatTrouble(error: unknown): string {
  const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
  return isFull ? t("page.draftFull") : t("page.draftLost");
}
