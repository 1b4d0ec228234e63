import { URL } from "node:url";
import { PANEL } from "../../core/messages/en/panel.ts";
import { RelayUnreachableError } from "../../core/importer/relay-errors.ts";
import type { IdentityEntry, NewIdentityReason } from "../state/identity-entries.ts";

/** The relay that answers now. */
export interface AnsweringRelay {
  /** Normalized by `parseRelayUrl`. */
  readonly relayUrl: string;
  /** Its instance as `hello` named it; undefined where it names none. */
  readonly instance: string | undefined;
}

/** The identity that a relay gets (rule P9). */
export type IdentityChoice =
  | { readonly use: IdentityEntry }
  /** A question: only a person can say whether the relay moved from there. */
  | { readonly movedFrom: IdentityEntry }
  /** A new identity; `because` is undefined at an address without any. */
  | { readonly because: NewIdentityReason | undefined };

/**
 * Chooses the identity for the relay that answers. A token is never chosen for an address that it wasn't
 * registered at, nor for another instance than the one that has accepted it.
 * @param entries of one address, the one in use comes first
 * @param isRefusedNow whether this relay has refused the entry's token since it answered
 */
export function chooseIdentity(
  entries: readonly IdentityEntry[],
  relay: AnsweringRelay,
  isRefusedNow: (entry: IdentityEntry) => boolean,
): IdentityChoice {
  const { relayUrl, instance } = relay;
  const here = entries.filter((entry) => entry.relayUrl === relayUrl);
  const usable = usableOf(here, instance);
  const use = usable.find((entry) => !isRefusedNow(entry));
  if (use !== undefined) return { use };
  if (here.some((entry) => entry.instance === instance)) return { because: "forgotten" };
  const elsewhere =
    instance === undefined ? [] : entries.filter((one) => one.instance === instance);
  const movable = elsewhere.filter((entry) => isSecure(relayUrl) || !isSecure(entry.relayUrl));
  const [movedFrom] = withRefusedLast(movable);
  if (movedFrom !== undefined) return { movedFrom };
  if (elsewhere.length > 0) return { because: "insecure" };
  if (usable.length > 0) return { because: "forgotten" };
  return { because: here.length > 0 ? "other-relay" : undefined };
}

/**
 * Returns the instance's own identities, then those that belong to none yet: they were made at this address while its
 * relay named none. Where a relay names no instance, the address alone counts.
 */
function usableOf(
  here: readonly IdentityEntry[],
  instance: string | undefined,
): readonly IdentityEntry[] {
  const ofNone = here.filter((entry) => entry.instance === undefined);
  if (instance !== undefined) {
    const own = here.filter((entry) => entry.instance === instance);
    return [...withRefusedLast(own), ...ofNone];
  }
  const inUse = here.slice(0, 1);
  return [...inUse, ...withRefusedLast(ofNone).filter((entry) => !inUse.includes(entry))];
}

function withRefusedLast(entries: readonly IdentityEntry[]): readonly IdentityEntry[] {
  return [...entries.filter((one) => !isRefused(one)), ...entries.filter(isRefused)];
}

function isRefused(entry: IdentityEntry): boolean {
  return entry.isRefused === true;
}

function isSecure(relayUrl: string): boolean {
  return new URL(relayUrl).protocol === "https:";
}

/** Number of identities that are kept at one address although they were made for other relays and never had an app. */
const MAX_UNPAIRED = 3;

/** Returns whether two entries are one identity at one address. */
export function isSameEntry(one: IdentityEntry, other: IdentityEntry): boolean {
  return one.relayUrl === other.relayUrl && one.importerToken === other.importerToken;
}

/** Returns a copy of an identity for the relay's new address; the relay may be reachable at both. */
export function movedTo(entry: IdentityEntry, relayUrl: string): IdentityEntry {
  return { ...entry, relayUrl, registeredAt: entry.registeredAt ?? entry.relayUrl };
}

/** Returns the other entries without those that are of no use any more; the newest comes first. */
export function withoutSpent(
  entries: readonly IdentityEntry[],
  made: IdentityEntry,
): readonly IdentityEntry[] {
  const others = entries.filter((one) => !isSameEntry(one, made) && !isSpent(one, made));
  const unpaired = others.filter(
    (one) => one.relayUrl === made.relayUrl && one.madeBecause === "other-relay",
  );
  const dropped = new Set(unpaired.slice(MAX_UNPAIRED));
  return others.filter((one) => !dropped.has(one));
}

/**
 * Returns whether an entry was refused and never had an app: a relay that refuses all tokens would fill the file with
 * them.
 */
function isSpent(one: IdentityEntry, made: IdentityEntry): boolean {
  const isOfSameRelay = one.relayUrl === made.relayUrl && one.instance === made.instance;
  return isOfSameRelay && one.isRefused === true && one.madeBecause !== undefined;
}

const WINDOW_MS = 10 * 60_000;
/** Number of other relays at one address that get a registration within the window. */
const MAX_OTHERS = 5;

/** Keeps a relay that refuses its own new tokens, or is another one each time, from getting a registration with each call. */
export class RegistrationGuard {
  readonly #now: () => number;
  #refusal: { readonly error: unknown; readonly atMs: number } | undefined;
  #othersAtMs: readonly number[] = [];

  /** @param now milliseconds on a clock that is never set back */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Records that the relay has refused a token that it had just given. */
  noteRefused(error: unknown): void {
    this.#refusal = { error, atMs: this.#now() };
  }

  /** Forgets the refusal: the relay may accept new tokens again. */
  forgetRefusal(): void {
    this.#refusal = undefined;
  }

  /**
   * Checks that a registration isn't too early, and counts it.
   * @throws {unknown} the refusal of the last new token, or a `RelayUnreachableError`, when it is too early
   */
  assertMayRegister(relayUrl: string, because: NewIdentityReason | undefined): void {
    const sinceMs = this.#now() - WINDOW_MS;
    if (this.#refusal !== undefined && this.#refusal.atMs > sinceMs) throw this.#refusal.error;
    if (because !== "other-relay") return;
    const others = this.#othersAtMs.filter((atMs) => atMs > sinceMs);
    if (others.length >= MAX_OTHERS) {
      throw new RelayUnreachableError(
        `Another relay answers at ${relayUrl} each time. Tell its operator.`,
      );
    }
    this.#othersAtMs = [...others, this.#now()];
  }
}

/** Sentences that say why no app is paired at a relay (rule P9). */
export const NEW_BECAUSE_NOTES: Readonly<Record<NewIdentityReason, string>> = {
  forgotten: PANEL["panel.notice-pair-again"],
  "other-relay": PANEL["panel.notice-other-relay"],
  insecure: PANEL["panel.notice-insecure"],
};
