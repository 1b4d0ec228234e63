import type { SoundferryClient } from "../../soundferry-client.ts";
import { ClientError } from "../../wire/client-error.ts";
import { explainIn } from "../words/explain.ts";
import { formatPackageStatus } from "../words/format-status.ts";
import type { SessionPairing } from "./session-pairing.ts";
import { pairingKeyOf, type SentItem, type SentNote, type SessionDeps } from "./session-view.ts";

/** Follows sent packages until they are imported or expire. No method rejects. */
export class SessionSent {
  readonly #deps: SessionDeps;
  readonly #pairing: SessionPairing;
  readonly #stops = new Map<string, AbortController>();
  readonly #withdrawing = new Set<string>();

  constructor(deps: SessionDeps, pairing: SessionPairing) {
    this.#deps = deps;
    this.#pairing = pairing;
  }

  /** Shows the stored packages. */
  restore(): void {
    for (const note of this.#deps.sentNotes?.read().toReversed() ?? []) this.#show(note);
  }

  /** Stores a package that was sent, shows it and follows it. */
  add(note: SentNote): void {
    this.#deps.sentNotes?.store(note);
    void this.#follow(this.#show(note));
  }

  /** Follows every package that may still change. */
  follow(): void {
    for (const item of this.#deps.store.view.sent) {
      const { status } = item;
      const isOpen = status === null || status === "waiting" || status === "uploading";
      if (isOpen && !item.isDismissed) void this.#follow(item);
    }
  }

  /** Stops following. */
  end(): void {
    for (const stop of this.#stops.values()) stop.abort();
  }

  /** Withdraws a package that is not in the host yet. */
  async withdraw(item: SentItem): Promise<void> {
    const { store, sentNotes, t } = this.#deps;
    // While it runs, a status may say that the package is gone before the answer says why.
    this.#withdrawing.add(item.packageId);
    try {
      await (await this.#clientOf(item)).withdraw(item.packageId);
      this.#stops.get(item.packageId)?.abort();
      // The relay forgets withdrawn packages.
      sentNotes?.forget(item.packageId);
      this.#change(item, { status: "withdrawn", trouble: null });
      store.change({ announcement: t("page.wasWithdrawn", { title: item.title }) });
    } catch (error) {
      this.#lose(item, error, {});
    } finally {
      this.#withdrawing.delete(item.packageId);
    }
  }

  /** Hides the package from the next reload on; its state on the relay doesn't change. */
  dismiss(item: SentItem): void {
    const { store, sentNotes, t } = this.#deps;
    this.#stops.get(item.packageId)?.abort();
    sentNotes?.forget(item.packageId);
    this.#change(item, { isDismissed: true });
    store.change({ announcement: t("page.wasDismissed", { title: item.title }) });
  }

  /** Undoes a dismissal. */
  undismiss(item: SentItem): void {
    const { status: _status, results: _results, trouble: _trouble, isDismissed: _, ...note } = item;
    this.#deps.sentNotes?.store(note);
    this.#change(item, { isDismissed: false });
    void this.#follow(item);
  }

  #show(note: SentNote): SentItem {
    const { store } = this.#deps;
    const item = { ...note, status: null, results: null, trouble: null, isDismissed: false };
    store.change({ sent: [...store.view.sent, item] });
    return item;
  }

  /** Follows a package to its end. */
  async #follow(item: SentItem): Promise<void> {
    const { t, emit } = this.#deps;
    this.#stops.get(item.packageId)?.abort();
    const stop = new AbortController();
    this.#stops.set(item.packageId, stop);
    const { signal } = stop;
    try {
      const client = await this.#clientOf(item);
      const onRetry = (error: ClientError): void =>
        this.#change(item, { trouble: explainIn(t, error) });
      for await (const answer of client.follow(item.packageId, { signal, onRetry })) {
        const { status, results = null } = answer;
        this.#change(item, { status, results, trouble: null });
        this.#announce(item.packageId);
        if (status !== "uploading" && status !== "waiting") emit?.("result", answer);
      }
    } catch (error) {
      if (!signal.aborted && !this.#withdrawing.has(item.packageId))
        this.#lose(item, error, { status: "unknown" });
    }
  }

  /** Returns the client of a package's pairing. @throws {ClientError} 401 if the pairing has ended */
  async #clientOf(item: SentItem): Promise<SoundferryClient> {
    const { pairings, t } = this.#deps;
    const all = await pairings.list();
    const pairing = all.find((known) => pairingKeyOf(known) === item.pairingKey);
    if (pairing !== undefined) return pairings.clientOf(pairing);
    throw new ClientError(t("page.pairingEnded"), { status: 401, code: "NOT_PAIRED" });
  }

  #lose(item: SentItem, error: unknown, change: Partial<SentItem>): void {
    const { t, emit } = this.#deps;
    const isGone = error instanceof ClientError && error.status === 404;
    this.#change(item, {
      ...change,
      trouble: isGone ? t("page.packageGone") : explainIn(t, error),
    });
    // The pairing may have ended.
    void this.#pairing.read();
    emit?.("error", { error });
  }

  #announce(packageId: string): void {
    const { store, t } = this.#deps;
    const item = store.view.sent.find((one) => one.packageId === packageId);
    if (item === undefined) return;
    const { words } = formatPackageStatus(t, item);
    store.change({ announcement: t("page.outcome", { title: item.title, outcome: words }) });
  }

  #change({ packageId }: SentItem, change: Partial<SentItem>): void {
    const { store } = this.#deps;
    const sent = store.view.sent.map((item) =>
      item.packageId === packageId ? { ...item, ...change } : item,
    );
    store.change({ sent });
  }
}
