import { ClientError } from "../../../client/wire/client-error.ts";
import type { Pairings } from "../../../client/pairing/pairings.ts";
import type { SoundferryClient } from "../../../client/soundferry-client.ts";
import { formatOutcome } from "../../../core/text/format-outcome.ts";
import { type ClipSelection, NO_SELECTION } from "../../kit/clip-list/clip-row.ts";
import { t } from "../../kit/page-language.ts";
import type { PageStore } from "../page-view.ts";
import { explainIn } from "../../../client/send/words/explain.ts";
import {
  pairingKey,
  type SentItem,
  type SentPackageNote,
  forgetSent,
  storeSent,
  readSent,
} from "./sent-item.ts";

/** Follows sent packages until they are imported or expire. */
export class SentActions {
  readonly #store: PageStore;
  readonly #pairings: Pairings;
  readonly #stops = new Map<string, AbortController>();

  constructor(store: PageStore, pairings: Pairings) {
    this.#store = store;
    this.#pairings = pairings;
  }

  /** Resumes following the packages that were sent before the page was reloaded. */
  resume(): void {
    for (const note of readSent().toReversed()) this.#add(note);
  }

  /** Starts following a sent package. */
  begin(note: SentPackageNote): void {
    storeSent(note);
    this.#add(note);
  }

  /** Withdraws a package that is not in the host yet. */
  async withdraw(item: SentItem): Promise<void> {
    try {
      await (await this.#clientOf(item)).withdraw(item.packageId);
      this.#stops.get(item.packageId)?.abort();
      // The relay forgets withdrawn packages.
      forgetSent(item.packageId);
      this.#change(item, { status: "withdrawn", trouble: null });
      this.#store.change({ announcement: t("page.wasWithdrawn", { title: item.title }) });
    } catch (error) {
      this.#change(item, { trouble: explainIn(t, error) });
    }
  }

  /** Hides the package from the next reload on; its state on the relay doesn't change. */
  dismiss(item: SentItem): void {
    this.#stops.get(item.packageId)?.abort();
    forgetSent(item.packageId);
    this.#change(item, { isDismissed: true });
    this.#store.change({ announcement: t("page.wasDismissed", { title: item.title }) });
  }

  /** Undoes a dismissal. */
  restore(item: SentItem): void {
    storeSent(noteOf(item));
    this.#change(item, { isDismissed: false });
    void this.#follow(item);
  }

  /** Shows a sent package, or the new one. */
  show(packageId: string | null): void {
    this.#store.change({ shown: packageId, sentSelection: NO_SELECTION });
  }

  select(sentSelection: ClipSelection): void {
    this.#store.change({ sentSelection });
  }

  #add(note: SentPackageNote): void {
    const item: SentItem = {
      ...note,
      status: null,
      results: null,
      trouble: null,
      isDismissed: false,
    };
    this.#store.change({ sent: [...this.#store.view.sent, item] });
    void this.#follow(item);
  }

  /** Follows a package to its end. Never rejects. */
  async #follow(item: SentItem): Promise<void> {
    const stop = new AbortController();
    this.#stops.set(item.packageId, stop);
    try {
      const client = await this.#clientOf(item);
      const { signal } = stop;
      const onRetry = (error: ClientError): void =>
        this.#change(item, { trouble: explainIn(t, error) });
      for await (const { status, results } of client.follow(item.packageId, { signal, onRetry })) {
        this.#change(item, { status, results: results ?? null, trouble: null });
        this.#announce(item, results === undefined ? null : Object.values(results));
      }
    } catch (error) {
      if (stop.signal.aborted) return;
      this.#change(item, { status: "unknown", trouble: formatLoss(error) });
    }
  }

  /** Returns the client of a package's pairing. @throws {ClientError} 401 if the pairing has ended */
  async #clientOf(item: SentItem): Promise<SoundferryClient> {
    const pairings = await this.#pairings.list();
    const pairing = pairings.find((known) => pairingKey(known) === item.pairingKey);
    if (pairing !== undefined) return this.#pairings.clientOf(pairing);
    throw new ClientError(t("page.pairingEnded"), { status: 401 });
  }

  #announce({ title }: SentItem, results: Parameters<typeof formatOutcome>[1] | null): void {
    if (results === null) return;
    this.#store.change({
      announcement: t("page.outcome", { title, outcome: formatOutcome(t, results).words }),
    });
  }

  #change({ packageId }: SentItem, change: Partial<SentItem>): void {
    const sent = this.#store.view.sent.map((item) =>
      item.packageId === packageId ? { ...item, ...change } : item,
    );
    this.#store.change({ sent });
  }
}

function formatLoss(error: unknown): string {
  if (error instanceof ClientError && error.status === 404) {
    return t("page.packageGone");
  }
  return explainIn(t, error);
}

function noteOf(item: SentItem): SentPackageNote {
  const { packageId, pairingKey: key, title, computerName, sounds, warnings } = item;
  return { packageId, pairingKey: key, title, computerName, sounds, warnings };
}
