import { withoutTryAgain } from "../../../core/text/sentence-of.ts";
import { randomId } from "../../wire/random-id.ts";
import type { SendOptions, SentPackage } from "../send-options.ts";
import { AbortedSend } from "../withdrawals.ts";
import { explainIn } from "../words/explain.ts";
import type { SessionPairing } from "./session-pairing.ts";
import type { SessionSent } from "./session-sent.ts";
import {
  type Attempt,
  type Computer,
  type Described,
  type Outgoing,
  pairingKeyOf,
  type SessionDeps,
  type SessionView,
  type UnfinishedItem,
} from "./session-view.ts";

type Send = (
  options: Omit<SendOptions, "idempotencyKey" | "keep" | "keepId">,
) => Promise<SentPackage>;

/** Sends packages, one at a time, and never two of the same sounds. No method rejects. */
export class SessionSending {
  readonly #deps: SessionDeps;
  readonly #pairing: SessionPairing;
  readonly #sent: SessionSent;
  readonly #outgoing: () => Outgoing | null;
  #stop: AbortController | null = null;
  /** Id of the last attempt that began in this visit. */
  #begun: string | undefined;

  /** @param outgoing describes the session's sounds; null without sounds */
  constructor(
    deps: SessionDeps,
    pairing: SessionPairing,
    sent: SessionSent,
    outgoing: () => Outgoing | null,
  ) {
    this.#deps = deps;
    this.#pairing = pairing;
    this.#sent = sent;
    this.#outgoing = outgoing;
  }

  /**
   * Sends the sounds to the target. What an earlier attempt began with the same sounds is continued, and what it
   * began with others is withdrawn. Resolves with the package's id; null if it was not sent.
   */
  async send(): Promise<string | null> {
    const { store, pairings } = this.#deps;
    const { view } = store;
    const [computer] = view.computers ?? [];
    const outgoing = this.#outgoing();
    if (this.#stop !== null || computer === undefined || outgoing === null) return null;
    if (outgoing.question !== null) {
      store.change({ error: outgoing.question });
      return null;
    }
    const packageId = await this.#deliver(computer, outgoing, async (options) => {
      const earlier = await this.#earlier(view.attempt, computer);
      if (earlier !== null) return earlier.resume(options);
      const attempt = { id: randomId(), isCurrent: true };
      this.#begun = attempt.id;
      store.change({ attempt });
      await this.#deps.flush?.();
      const keep = { keep: this.#deps.settings().keep ?? true, keepId: attempt.id };
      return pairings.clientOf(computer.pairing).send(outgoing.draft, { ...options, ...keep });
    });
    if (packageId !== null) await this.#clear(view);
    if (view.unfinished.length > 0) await this.findUnfinished();
    return packageId;
  }

  /** Lists what an earlier visit could not finish, and what ended pairings left. Send continues what this visit began. */
  async findUnfinished(): Promise<void> {
    const { store } = this.#deps;
    const { computers } = store.view;
    const unfinished = (await this.#findAll()).filter(
      ({ unfinished: { id }, computer }) => computer === null || id !== this.#begun,
    );
    // If they changed meanwhile, a later search has the right ones.
    if (store.view.computers === computers) store.change({ unfinished });
  }

  /** Sends the rest of an unfinished package. Resolves with the package's id; null if it was not sent. */
  async resume({ unfinished, computer }: UnfinishedItem): Promise<string | null> {
    const { store } = this.#deps;
    if (this.#stop !== null || computer === null) return null;
    const { view } = store;
    const isDraft = view.attempt?.id === unfinished.id && view.attempt.isCurrent;
    const plain = { title: unfinished.title ?? "", sounds: unfinished.sounds };
    const described = (isDraft ? this.#outgoing() : null) ?? plain;
    const packageId = await this.#deliver(
      computer,
      { ...described, key: unfinished.id },
      (options) => unfinished.resume(options),
    );
    if (packageId !== null && isDraft) await this.#clear(view);
    await this.findUnfinished();
    return packageId;
  }

  /** Forgets an unfinished package and withdraws it. The session's sounds stay. */
  async discard({ unfinished }: UnfinishedItem): Promise<void> {
    const { store } = this.#deps;
    try {
      await unfinished.forget();
      if (store.view.attempt?.id === unfinished.id) store.change({ attempt: null });
    } catch (error) {
      this.#pairing.fail(error);
    }
    await this.findUnfinished();
  }

  /** Stops sending and withdraws the package; the sounds stay. */
  cancel(): void {
    this.#stop?.abort();
  }

  /** Finds what an attempt left, if it was with these sounds and this computer; otherwise withdraws it. */
  async #earlier(attempt: Attempt | null, { pairing }: Computer) {
    const found = attempt === null ? undefined : await this.#find(attempt);
    if (found === undefined) return null;
    const isSame = attempt?.isCurrent === true && found.computer?.pairing.token === pairing.token;
    if (isSame) return found.unfinished;
    await found.unfinished.forget();
    return null;
  }

  async #find({ id }: Attempt): Promise<UnfinishedItem | undefined> {
    return (await this.#findAll()).find(({ unfinished }) => unfinished.id === id);
  }

  async #findAll(): Promise<readonly UnfinishedItem[]> {
    const computers = [...(this.#deps.store.view.computers ?? []), null];
    return (await Promise.all(computers.map((one) => this.#unfinishedAt(one)))).flat();
  }

  /** A browser that stores nothing has nothing unfinished. @param computer null for what ended pairings left */
  async #unfinishedAt(computer: Computer | null): Promise<readonly UnfinishedItem[]> {
    const { pairings, settings } = this.#deps;
    const ended = { relayUrl: settings().relayUrl, deviceName: "", token: "" };
    try {
      const all = await pairings.clientOf(computer?.pairing ?? ended).unfinished();
      return all.map((unfinished) => ({ unfinished, computer }));
    } catch {
      return [];
    }
  }

  async #deliver(
    computer: Computer,
    { title, sounds, key }: Described,
    send: Send,
  ): Promise<string | null> {
    const { store, t, emit } = this.#deps;
    const stop = new AbortController();
    this.#stop = stop;
    store.change({
      sending: { computerName: computer.name, progress: null, trouble: null },
      error: null,
      announcement: t("page.sendingTo", { computer: computer.name }),
    });
    try {
      const { packageId, warnings } = await send(this.#options(stop.signal));
      store.change({ announcement: t("page.wasSent", { title }) });
      emit?.("sent", { packageId, warnings });
      this.#sent.add({
        key: key ?? store.view.attempt?.id,
        title,
        sounds,
        packageId,
        pairingKey: pairingKeyOf(computer.pairing),
        computerName: computer.name,
        warnings: warnings.map(({ message }) => message),
      });
      return packageId;
    } catch (error) {
      const isTooLate = error instanceof AbortedSend && error.outcome === "taken";
      if (stop.signal.aborted && !isTooLate) store.change({ announcement: t("page.cancelled") });
      else this.#pairing.fail(error, computer);
      await this.#settleAttempt();
      return null;
    } finally {
      this.#stop = null;
      store.change({ sending: null });
    }
  }

  #options(signal: AbortSignal): Parameters<Send>[0] {
    const { store, t } = this.#deps;
    const report = (change: Partial<NonNullable<SessionView["sending"]>>): void => {
      const { sending } = store.view;
      if (sending !== null) store.change({ sending: { ...sending, ...change } });
    };
    return {
      signal,
      onProgress: (progress) => report({ progress, trouble: null }),
      onRetry: (error, waitSeconds) => {
        const sentence = withoutTryAgain(explainIn(t, error));
        report({ trouble: { sentence, seconds: Math.max(1, Math.round(waitSeconds)) } });
      },
    };
  }

  /** Forgets the attempt unless the browser keeps something that can be continued. */
  async #settleAttempt(): Promise<void> {
    const { store } = this.#deps;
    const { attempt } = store.view;
    if (attempt !== null && (await this.#find(attempt)) === undefined)
      store.change({ attempt: null });
  }

  /** Begins a new package with the sounds, and the refused ones, that were added while this one was being sent. */
  async #clear({ sounds: sent, refused: listed }: SessionView): Promise<void> {
    const { store, flush } = this.#deps;
    const keys = new Set([...sent, ...listed].map(({ key }) => key));
    const refused = store.view.refused.filter(({ key }) => !keys.has(key));
    const sounds = store.view.sounds.filter(({ key }) => !keys.has(key));
    const groups = store.view.groups.filter(({ members }) => !members.some((key) => keys.has(key)));
    const suggestion = sounds.length === 0 ? "" : store.view.suggestion;
    store.change({ title: null, bpm: null, sounds, groups, suggestion, refused, attempt: null });
    // Otherwise a reload in the next moment would restore the sent sounds.
    await flush?.();
  }
}
