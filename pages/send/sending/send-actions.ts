import type { Pairings } from "../../../client/pairing/pairings.ts";
import { randomId } from "../../../client/wire/random-id.ts";
import { withoutTryAgain } from "../../../core/text/sentence-of.ts";
import { NO_SELECTION } from "../../kit/clip-list/clip-row.ts";
import { t } from "../../kit/page-language.ts";
import type { PageStore, PageView, PageComputer } from "../page-view.ts";
import { pairingKey, sentKey } from "./sent-item.ts";
import { explainIn } from "../../../client/send/words/explain.ts";
import type { PairingActions } from "../pairing/pairing-actions.ts";
import { choiceOf } from "../sounds/page-sound.ts";
import type { HeardSound } from "../sounds/page-audio.ts";
import { draftOf, titleToSend, describeSent } from "./draft-of.ts";
import type { SentActions } from "./sent-actions.ts";

/** The parts of the page that sending needs. */
interface SendDeps {
  readonly store: PageStore;
  readonly pairings: Pairings;
  readonly pairing: PairingActions;
  readonly sent: SentActions;
  /** Collects the sent sounds, so that they can still be played. */
  readonly sentSounds: Map<string, HeardSound>;
  /** Stores the current draft. */
  readonly flushDraft: () => Promise<void>;
}

/** An attempt to send, which the same content resumes later. */
interface Attempt {
  readonly computer: PageComputer;
  readonly view: PageView;
  readonly idempotencyKey: string;
  /** Id of the package; null until it is announced. */
  packageId: string | null;
}

/** Sends the new package, one at a time. */
export class SendActions {
  readonly #deps: SendDeps;
  #stop: AbortController | null = null;
  /** The attempt that is running or failed last. */
  #attempt: Attempt | null = null;

  constructor(deps: SendDeps) {
    this.#deps = deps;
  }

  /**
   * Sends the sounds to the computer and shows the sent package. Resolves with whether it was sent; never
   * rejects. Does nothing while it is sending.
   */
  async send(computer: PageComputer): Promise<boolean> {
    const { store, pairing } = this.#deps;
    if (this.#stop !== null) return false;
    this.#stop = new AbortController();
    const { view } = store;
    const title = titleToSend(view);
    store.change({
      sending: { computerName: computer.name, progress: null, trouble: null },
      sendError: null,
      announcement: t("page.sendingTo", { computer: computer.name }),
    });
    try {
      const packageId = await this.#deliver(computer, view, title, this.#stop.signal);
      this.#attempt = null;
      this.#clear(view);
      // Otherwise a reload in the next moment would restore the sent draft.
      await this.#deps.flushDraft();
      if (store.view.sounds.length === 0) this.#deps.sent.show(packageId);
      return true;
    } catch (error) {
      const isCancelled = this.#stop.signal.aborted;
      store.change(
        isCancelled ? { announcement: t("page.cancelled") } : { sendError: explainIn(t, error) },
      );
      await pairing.noticeEnd(computer, error);
      return false;
    } finally {
      this.#stop = null;
      store.change({ sending: null });
    }
  }

  /** Stops sending; the sounds stay on the page. */
  cancel(): void {
    this.#stop?.abort();
  }

  /** Begins a new package with the sounds that were added while this one was being sent. */
  #clear({ sounds: sentOnes }: PageView): void {
    const { store } = this.#deps;
    const keys = new Set(sentOnes.map(({ key }) => key));
    const sounds = store.view.sounds.filter(({ key }) => !keys.has(key));
    store.change({
      title: null,
      bpm: null,
      sounds,
      selection: NO_SELECTION,
      refused: [],
      recordError: null,
    });
  }

  async #deliver(
    computer: PageComputer,
    view: PageView,
    title: string,
    signal: AbortSignal,
  ): Promise<string> {
    const { store, pairings, sent, sentSounds } = this.#deps;
    const client = pairings.clientOf(computer.pairing);
    const attempt = this.#attemptOf(computer, view);
    const { packageId, warnings } = await client
      .send(draftOf(view), {
        signal,
        idempotencyKey: attempt.idempotencyKey,
        onAnnounced: ({ package_id: id }) => {
          attempt.packageId = id;
        },
        onProgress: (progress) => this.#report({ progress, trouble: null }),
        onRetry: (error, waitSeconds) => {
          const seconds = Math.max(1, Math.round(waitSeconds));
          const trouble = withoutTryAgain(explainIn(t, error));
          this.#report({ trouble: t("page.retrying", { trouble, seconds }) });
        },
      })
      .catch(async (error: unknown) => {
        // After a cancel, nothing of the package should stay on the relay.
        if (signal.aborted && attempt.packageId !== null) {
          this.#attempt = null;
          await client.withdraw(attempt.packageId).catch(() => {});
        }
        throw error;
      });
    store.change({ announcement: t("page.wasSent", { title }) });
    for (const sound of view.sounds) {
      const heard = { source: sound.source, isLoop: choiceOf(sound).kind === "loop" };
      sentSounds.set(sentKey({ packageId }, sound.key), heard);
    }
    sent.begin({
      packageId,
      pairingKey: pairingKey(computer.pairing),
      title,
      computerName: computer.name,
      sounds: describeSent(view),
      warnings: warnings.map(({ message }) => message),
    });
    return packageId;
  }

  /** Reuses the attempt if sounds, description and computer are the same. */
  #attemptOf(computer: PageComputer, view: PageView): Attempt {
    const { title, bpm, sounds } = view;
    const last = this.#attempt;
    const isSame =
      last?.view.title === title &&
      last.view.bpm === bpm &&
      last.view.sounds === sounds &&
      last.computer.pairing.token === computer.pairing.token;
    if (isSame) return last;
    const attempt = { computer, view, idempotencyKey: randomId(), packageId: null };
    this.#attempt = attempt;
    return attempt;
  }

  #report(change: Partial<NonNullable<PageView["sending"]>>): void {
    const { store } = this.#deps;
    const { sending } = store.view;
    if (sending !== null) store.change({ sending: { ...sending, ...change } });
  }
}
