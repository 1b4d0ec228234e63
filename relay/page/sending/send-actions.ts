import type { Pairings } from "../../../client/pairings.ts";
import { randomId } from "../../../client/random-id.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { cleanTitle } from "../../../core/text/clean-title.ts";
import { withoutTryAgain } from "../../../core/text/without-try-again.ts";
import type { PageStore } from "../page-store.ts";
import type { PageView } from "../page-view.ts";
import { pairingKey, type PageComputer } from "../pairing/page-computer.ts";
import type { PairingActions } from "../pairing/pairing-actions.ts";
import { draftOf } from "./draft-of.ts";
import type { SentActions } from "./sent-actions.ts";

/** What sending needs from the page. */
export interface SendDeps {
  readonly store: PageStore;
  readonly pairings: Pairings;
  readonly pairing: PairingActions;
  readonly sent: SentActions;
}

/** Sending the same content again resumes the same package. */
interface Attempt {
  readonly computer: PageComputer;
  readonly view: PageView;
  readonly idempotencyKey: string;
  /** null until it is announced. */
  packageId: string | null;
}

/** Sends what is on the page, one package at a time. */
export class SendActions {
  readonly #deps: SendDeps;
  #stop: AbortController | null = null;
  /** The attempt that is running or failed last. */
  #attempt: Attempt | null = null;

  constructor(deps: SendDeps) {
    this.#deps = deps;
  }

  /** Sends the sounds to the computer and shows the result. Does nothing while it is sending. */
  async send(computer: PageComputer): Promise<void> {
    const { store, pairing } = this.#deps;
    if (this.#stop !== null) return;
    this.#stop = new AbortController();
    const { view } = store;
    const title = cleanTitle(view.title) || "Untitled";
    store.change({
      sending: { title, computerName: computer.name, progress: null, trouble: null },
      sendError: null,
      announcement: `Sending to ${computer.name}.`,
    });
    try {
      await this.#deliver(computer, view, title, this.#stop.signal);
      this.#attempt = null;
      store.change({ title: "", sounds: [], refused: [] });
    } catch (error) {
      const isCancelled = this.#stop.signal.aborted;
      store.change(isCancelled ? { announcement: "Cancelled." } : { sendError: sentenceOf(error) });
      await pairing.noticeEnd(computer, error);
    } finally {
      this.#stop = null;
      store.change({ sending: null });
    }
  }

  /** Stops sending; the sounds stay on the page. */
  cancel(): void {
    this.#stop?.abort();
  }

  async #deliver(
    computer: PageComputer,
    view: PageView,
    title: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { store, pairings, sent } = this.#deps;
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
        onRetry: ({ message }, waitSeconds) => {
          const wait = Math.max(1, Math.round(waitSeconds));
          this.#report({ trouble: `${withoutTryAgain(message)} Retrying in ${wait} s.` });
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
    store.change({ announcement: `${title} was sent and is waiting for Import.` });
    sent.begin({
      packageId,
      pairingKey: pairingKey(computer.pairing),
      title,
      computerName: computer.name,
      sounds: view.sounds.map(({ key, name }) => ({ id: key, name: name || "Sound" })),
      warnings: warnings.map(({ message }) => message),
    });
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
