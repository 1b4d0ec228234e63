import { withoutTryAgain } from "../../../core/text/sentence-of.ts";
import { randomId } from "../../wire/random-id.ts";
import type { SendOptions, SentPackage } from "../send-options.ts";
import { AbortedSend } from "../withdrawals.ts";
import { explainIn } from "../words/explain.ts";
import type { SessionPairing } from "./session-pairing.ts";
import type { SessionSent } from "./session-sent.ts";
import {
  afterNext,
  type Attempt,
  type Computer,
  type Described,
  type Outgoing,
  type OutgoingPart,
  pairingKeyOf,
  type RefusedSound,
  type Sending,
  type SessionDeps,
  type SessionView,
  type UnfinishedItem,
} from "./session-view.ts";

/** A sent package, and sentences on its sounds. */
type SentPart = SentPackage & { readonly notes?: readonly string[] };

type Send = (
  options: Omit<SendOptions, "idempotencyKey" | "keep" | "keepId"> & {
    readonly signal: AbortSignal;
  },
) => Promise<SentPart>;

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
   * began with others is withdrawn. Resolves with the last package's id; null if not all were sent.
   */
  async send(): Promise<string | null> {
    const { store } = this.#deps;
    const { view } = store;
    const [computer] = view.computers ?? [];
    const outgoing = this.#outgoing();
    if (this.#stop !== null || computer === undefined || outgoing === null) return null;
    if (outgoing.question !== null) {
      store.change({ error: outgoing.question });
      return null;
    }
    const packageId = await this.#run((stop) => this.#sendAll(computer, outgoing, stop));
    if (view.unfinished.length > 0) await this.findUnfinished();
    return packageId;
  }

  /** Sends packages one after the other, each whole (rule G20). */
  async #sendAll(
    computer: Computer,
    { packages, series, decide }: Outgoing,
    stop: AbortSignal,
  ): Promise<string | null> {
    const { store, flush, t } = this.#deps;
    const { refused } = store.view;
    store.change({ series });
    let packageId: string | null = null;
    for (const [index, outgoing] of packages.entries()) {
      const sent = (series?.sent ?? 0) + index;
      const part = series && { number: sent + 1, count: series.count };
      packageId = await this.#deliver(computer, { ...outgoing, part }, stop, (options) =>
        this.#sendPart(computer, outgoing, options),
      );
      if (packageId === null) {
        const left = series && t("page.partsLeft", { sent, all: series.count });
        if (sent > 0) store.change({ error: [store.view.error ?? "", left].join(" ").trim() });
        return null;
      }
      this.#clear(outgoing.keys, decide, index === packages.length - 1 ? refused : null);
      // Otherwise a reload in the next moment would restore the sent sounds.
      await flush?.();
    }
    return packageId;
  }

  async #sendPart(
    computer: Computer,
    { describe }: OutgoingPart,
    options: Parameters<Send>[0],
  ): Promise<SentPart> {
    const { store, pairings, flush, settings } = this.#deps;
    const earlier = await this.#earlier(store.view.attempt, computer);
    if (earlier !== null) return earlier.resume(options);
    const attempt = { id: randomId(), isCurrent: true };
    this.#begun = attempt.id;
    store.change({ attempt });
    await flush?.();
    const { draft, notes } = await describe(options.signal);
    const keep = { keep: settings().keep ?? true, keepId: attempt.id };
    const client = pairings.clientOf(computer.pairing);
    return { notes, ...(await client.send(draft, { ...options, ...keep })) };
  }

  /** Lists what an earlier visit could not finish, and what ended pairings left. Send continues what this visit began. */
  async findUnfinished(): Promise<void> {
    const { store } = this.#deps;
    const { computers } = store.view;
    const unfinished = (await this.#findAll()).filter(
      ({ unfinished: { keepId }, computer }) => computer === null || keepId !== this.#begun,
    );
    // If they changed meanwhile, a later search has the right ones.
    if (store.view.computers === computers) store.change({ unfinished });
  }

  /**
   * Sends the rest of an unfinished package, and those after it if it is one of several. Resolves with the package's
   * id; null if it was not sent.
   */
  async resume({ unfinished, computer }: UnfinishedItem): Promise<string | null> {
    const { store } = this.#deps;
    if (this.#stop !== null || computer === null) return null;
    const { view } = store;
    const isDraft = view.attempt?.id === unfinished.keepId && view.attempt.isCurrent;
    const outgoing = isDraft ? this.#outgoing() : null;
    const { keepId: key, title = "", sounds } = unfinished;
    const packageId = await this.#run((stop) =>
      outgoing === null || outgoing.packages.length === 0
        ? this.#deliver(computer, { key, title, sounds, part: null }, stop, (options) =>
            unfinished.resume(options),
          )
        : this.#sendAll(computer, outgoing, stop),
    );
    await this.findUnfinished();
    return packageId;
  }

  /** Forgets an unfinished package and withdraws it. The session's sounds stay. */
  async discard({ unfinished }: UnfinishedItem): Promise<void> {
    const { store } = this.#deps;
    try {
      await unfinished.forget();
      if (store.view.attempt?.id === unfinished.keepId) store.change({ attempt: null });
    } catch (error) {
      this.#pairing.fail(error);
    }
    await this.findUnfinished();
  }

  /** Stops sending and withdraws the package that isn't whole; its sounds stay. */
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
    return (await this.#findAll()).find(({ unfinished }) => unfinished.keepId === id);
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

  /** Runs one Send, which can be cancelled. */
  async #run(send: (stop: AbortSignal) => Promise<string | null>): Promise<string | null> {
    this.#stop = new AbortController();
    try {
      return await send(this.#stop.signal);
    } finally {
      this.#stop = null;
      this.#deps.store.change({ sending: null });
    }
  }

  async #deliver(
    computer: Computer,
    { title, sounds, key, part }: Described & Pick<Sending, "part">,
    stop: AbortSignal,
    send: Send,
  ): Promise<string | null> {
    const { store, t, emit } = this.#deps;
    store.change({
      sending: { computerName: computer.name, progress: null, trouble: null, part },
      error: null,
      announcement: t("page.sendingTo", { computer: computer.name }),
    });
    try {
      const { packageId, warnings, notes = [] } = await send(this.#options(stop));
      store.change({ announcement: t("page.wasSent", { title }) });
      emit?.("sent", { packageId, warnings });
      this.#sent.add({
        key: key ?? store.view.attempt?.id,
        title,
        sounds,
        packageId,
        pairingKey: pairingKeyOf(computer.pairing),
        computerName: computer.name,
        warnings: [...warnings.map(({ message }) => message), ...notes],
      });
      return packageId;
    } catch (error) {
      const isTooLate = error instanceof AbortedSend && error.outcome === "taken";
      if (stop.aborted && !isTooLate) store.change({ announcement: t("page.cancelled") });
      else this.#pairing.fail(error, computer);
      await this.#settleAttempt();
      return null;
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

  /**
   * Removes the sounds that were sent. After the last of them, a new package begins with those, and the refused ones,
   * that were added meanwhile.
   * @param listed the refused ones before; null if more sounds are sent
   */
  #clear(
    keys: readonly string[],
    decide: Outgoing["decide"],
    listed: readonly RefusedSound[] | null,
  ): void {
    const { store } = this.#deps;
    const { view } = store;
    const stay = view.sounds.filter(({ key }) => !keys.includes(key));
    const series = view.series && afterNext(view.series);
    const sounds = series === null ? stay : stay.map(decide);
    const groups = view.groups.filter(({ members }) => !members.some((key) => keys.includes(key)));
    store.change({ sounds, groups, series, attempt: null });
    if (listed === null) return;
    const refused = view.refused.filter((one) => !listed.some(({ key }) => key === one.key));
    const suggestion = sounds.length === 0 ? "" : view.suggestion;
    store.change({ title: null, bpm: null, suggestion, refused, packAnswer: null });
  }
}
