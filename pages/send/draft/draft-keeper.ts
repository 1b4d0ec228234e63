import { wasSent } from "../sending/sent-notes.ts";
import { t } from "../../kit/page-language.ts";
import type { PageStore, PageView } from "../page-view.ts";
import type { SessionSound } from "../../../client/send/session/session-sound.ts";
import type { SessionSounds } from "../../../client/send/session/session-sounds.ts";
import { afterNext } from "../../../client/send/session/session-view.ts";
import { decided } from "../../../client/send/session/session-sound.ts";
import { claimDraft, isDraftFree } from "./claim-draft.ts";
import { DraftDatabase, DRAFT_VERSION, type StoredDraft } from "./draft-database.ts";

/** Time after which a draft that nobody has opened is deleted. */
const KEPT_MS = 7 * 86_400_000;

/** The part of the view that is a draft. */
type Draft = Pick<PageView, (typeof DRAFTED)[number]>;
const DRAFTED = [
  "title",
  "bpm",
  "sounds",
  "refused",
  "selection",
  "packAnswer",
  "series",
  "attempt",
] as const satisfies readonly (keyof PageView)[];

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
      const stored = drafts.find((draft) => draft.id === id);
      const own = stored?.version === DRAFT_VERSION ? withoutSent(stored) : undefined;
      if (own === null) await database.delete(id);
      else if (own !== undefined) await keeper.#restore(own, sounds);
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
    const { title, bpm, refused, selected, active, packAnswer, series, attempt } = draft;
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
    this.#store.change({ packAnswer, attempt: attempt && { ...attempt, isCurrent } });
    if (isWhole) this.#store.change({ series });
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
  async #writeDraft(draft: Draft): Promise<void> {
    const { title, bpm, sounds, refused, selection, packAnswer, series, attempt } = draft;
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
      packAnswer,
      series,
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

/**
 * Removes what was sent: the page may have ended after a package was sent and before its draft was changed. null if
 * nothing is left.
 */
function withoutSent(draft: StoredDraft): StoredDraft | null {
  const { attempt, series } = draft;
  if (attempt?.isCurrent !== true || !wasSent(attempt.id)) return draft;
  const left = series && afterNext(series);
  if (left === null) return null;
  const keys = new Set(series?.parts[0]);
  const sounds = draft.sounds.filter(({ key }) => !keys.has(key)).map(decided);
  return { ...draft, sounds, series: left, attempt: null };
}

function draftOfView(view: PageView): Draft {
  const { title, bpm, sounds, refused, selection, packAnswer, series, attempt } = view;
  return { title, bpm, sounds, refused, selection, packAnswer, series, attempt };
}

function isSame(one: Draft | null, other: Draft): boolean {
  return one !== null && DRAFTED.every((name) => one[name] === other[name]);
}

function formatTrouble(error: unknown): string {
  const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
  return isFull ? t("page.draftFull") : t("page.draftLost");
}
