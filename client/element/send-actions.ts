import { MAX_BPM, MIN_BPM } from "../../core/limits.ts";
import { AbortedSend } from "../send/withdrawals.ts";
import type { PackageDraft } from "../send/package-draft.ts";
import type { Pairing } from "../pairing/pairings.ts";
import type { SendOptions, SentPackage, Unfinished } from "../send/send-options.ts";
import { explainIn } from "../send/words/explain.ts";
import { formatPackageStatus } from "../send/words/format-status.ts";
import type { ElementDeps, SentNews } from "./element-view.ts";
import { draftOf, type ListedSound, tempoOf } from "./listed-sound.ts";
import type { PairingActions } from "./pairing-actions.ts";

type Described = Pick<SentNews, "title" | "sounds">;

/** Sends packages and follows them. No method rejects. */
export class SendActions {
  readonly #deps: ElementDeps;
  readonly #pairing: PairingActions;
  #stop: AbortController | null = null;
  #following: AbortController | null = null;

  constructor(deps: ElementDeps, pairing: PairingActions) {
    this.#deps = deps;
    this.#pairing = pairing;
  }

  /** The computer to send to. */
  get #computer(): Pairing | undefined {
    return this.#deps.store.view.computers?.[0];
  }

  /** Sends all sounds to the first computer. Does nothing while it is sending, or without sounds or computer. */
  async send(): Promise<void> {
    const { store, settings, pairings } = this.#deps;
    const { sounds, title, suggestion } = store.view;
    const computer = this.#computer;
    if (computer === undefined || sounds.length === 0) return;
    const question = this.#questionAbout(sounds);
    if (question !== undefined) return store.change({ errors: [question] });
    const { sceneTitle, bpm, appName } = settings();
    const draft: PackageDraft = {
      title: (title ?? "").trim() || sceneTitle || suggestion,
      app: appName,
      bpm,
      sounds: sounds.map(draftOf),
    };
    const described = {
      title: draft.title ?? "",
      sounds: sounds.map(({ id, name }) => ({ id, name })),
    };
    const isSent = await this.#deliver(computer, described, (options) =>
      pairings().clientOf(computer).send(draft, options),
    );
    // Sounds added meanwhile stay for the next package.
    const added = store.view.sounds.filter((sound) => !sounds.includes(sound));
    if (isSent) store.change({ sounds: added, title: null });
  }

  /** Shows the packages that an earlier visit could not finish. */
  async findUnfinished(): Promise<void> {
    const { store, pairings } = this.#deps;
    const computer = this.#computer;
    if (computer === undefined) return;
    try {
      store.change({ unfinished: await pairings().clientOf(computer).unfinished() });
    } catch {
      // A browser that stores nothing has nothing unfinished.
    }
  }

  async resume(unfinished: Unfinished): Promise<void> {
    const computer = this.#computer;
    if (computer === undefined) return;
    // The ids of sounds are their positions unless the app chose others.
    const sounds = unfinished.files.map((file, index) => ({
      id: String(index + 1),
      name: file.replace(/\.[^.]*$/, ""),
    }));
    const described = { title: unfinished.title ?? "", sounds };
    await this.#deliver(computer, described, (options) => unfinished.resume(options));
    await this.findUnfinished();
  }

  async discard(unfinished: Unfinished): Promise<void> {
    try {
      await unfinished.forget();
    } catch (error) {
      this.#pairing.showError(error);
    }
    await this.findUnfinished();
  }

  cancel(): void {
    this.#stop?.abort();
  }

  /** Withdraws the sent package. */
  async withdraw(): Promise<void> {
    const { store, pairings } = this.#deps;
    const computer = this.#computer;
    const { sent } = store.view;
    if (computer === undefined || sent === null) return;
    try {
      await pairings().clientOf(computer).withdraw(sent.packageId);
      this.#following?.abort();
      this.#update({ status: "withdrawn" });
    } catch (error) {
      this.#pairing.showError(error, computer);
    }
  }

  /** Returns to an empty list. */
  sendMore(): void {
    this.#following?.abort();
    this.#deps.store.change({ sent: null, errors: [] });
  }

  /** Follows the sent package again, such as when the element is back on the page. */
  begin(): void {
    const { sent } = this.#deps.store.view;
    const computer = this.#computer;
    if (computer === undefined || sent === null) return;
    if (sent.status === null || sent.status === "waiting") {
      void this.#follow(computer, sent.packageId);
    }
  }

  /** Stops following. A running send continues to its end. */
  end(): void {
    this.#following?.abort();
  }

  /** Returns the question that must be answered before sending, if any. */
  #questionAbout(sounds: readonly ListedSound[]): string | undefined {
    const { t } = this.#deps;
    const undecided = sounds.filter(({ kind }) => kind === null);
    if (undecided.length > 0) {
      const names = undecided.map(({ name }) => name).join(", ");
      return t("page.askKind", { count: undecided.length, names });
    }
    const isWrong = sounds.some(({ bpm }) => bpm !== "" && tempoOf(bpm) === undefined);
    return isWrong ? t("page.tempoRange", { min: MIN_BPM, max: MAX_BPM }) : undefined;
  }

  async #deliver(
    computer: Pairing,
    described: Described,
    act: (options: Omit<SendOptions, "idempotencyKey">) => Promise<SentPackage>,
  ): Promise<boolean> {
    const { store, t, emit } = this.#deps;
    if (this.#stop !== null) return false;
    const stop = new AbortController();
    this.#stop = stop;
    const show = (change: object): void => {
      const { sending } = store.view;
      if (sending !== null) store.change({ sending: { ...sending, ...change } });
    };
    store.change({ sending: { progress: null, trouble: "" }, errors: [] });
    try {
      const { packageId, warnings } = await act({
        signal: stop.signal,
        keep: true,
        onProgress: (progress) => show({ progress, trouble: "" }),
        onState: (state, error) => {
          if (state !== "paused" || error === undefined) return show({ trouble: "" });
          show({ trouble: t("send.paused", { trouble: explainIn(t, error) }) });
        },
      });
      const { deviceName: computerName } = computer;
      const sent = { ...described, packageId, computerName, status: null, results: null };
      store.change({ sent, announcement: t("page.wasSent", { title: described.title }) });
      emit("sent", { packageId, warnings });
      void this.#follow(computer, packageId);
      return true;
    } catch (error) {
      const isCanceled = stop.signal.aborted;
      const isTooLate = error instanceof AbortedSend && error.outcome === "taken";
      if (isCanceled && !isTooLate) store.change({ announcement: t("page.cancelled") });
      else this.#pairing.showError(error, computer);
      return false;
    } finally {
      this.#stop = null;
      store.change({ sending: null });
    }
  }

  async #follow(computer: Pairing, packageId: string): Promise<void> {
    const { pairings, emit } = this.#deps;
    this.#following?.abort();
    const following = new AbortController();
    const { signal } = following;
    this.#following = following;
    try {
      for await (const answer of pairings().clientOf(computer).follow(packageId, { signal })) {
        this.#update({ status: answer.status, results: answer.results ?? null });
        if (answer.status !== "uploading" && answer.status !== "waiting") emit("result", answer);
      }
    } catch (error) {
      if (signal.aborted) return;
      this.#update({ status: "unknown" });
      this.#pairing.showError(error, computer);
    }
  }

  #update(change: Partial<SentNews>): void {
    const { store, t } = this.#deps;
    const { sent: before } = store.view;
    if (before === null) return;
    const sent = { ...before, ...change };
    const { words } = formatPackageStatus(t, sent);
    const announcement = t("page.outcome", { title: sent.title, outcome: words });
    store.change({ sent, announcement });
  }
}
