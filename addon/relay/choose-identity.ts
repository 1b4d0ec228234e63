import { URL } from "node:url";
import { PANEL } from "../../core/messages/en/panel.ts";
import { RelayUnreachableError } from "./relay-errors.ts";
import type { IdentityEntry, NewIdentityReason } from "../state/identity-entries.ts";

/** The relay that answers now. */
export interface AnsweringRelay {
  /** Normalized by `parseRelayUrl`. */
  readonly relayUrl: string;
  /** As its `hello` named it; undefined where it names none. */
  readonly instance: string | undefined;
}

/** Which identity a relay gets (rule P9). */
export type IdentityChoice =
  | { readonly use: IdentityEntry }
  /** Only a person can say whether the relay moved from there. */
  | { readonly movedFrom: IdentityEntry }
  /** A new one; `because` is undefined at an address without any. */
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
 * The instance's own identities, then those that belong to none yet: they were made at this address while its relay
 * named none. Where a relay names no instance, the address alone counts.
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

/** Identities at one address that were made for other relays and never had an app. */
const MAX_UNPAIRED = 3;

/** Whether two entries are one identity at one address. */
export function isSameEntry(one: IdentityEntry, other: IdentityEntry): boolean {
  return one.relayUrl === other.relayUrl && one.importerToken === other.importerToken;
}

/** Kept at both addresses: the relay may be reachable at both. */
export function movedTo(entry: IdentityEntry, relayUrl: string): IdentityEntry {
  return { ...entry, relayUrl, registeredAt: entry.registeredAt ?? entry.relayUrl };
}

/** The others without those that hold nothing; the newest comes first. */
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

/** A refused one with which no app was paired holds nothing; a relay that refuses all would fill the file. */
function isSpent(one: IdentityEntry, made: IdentityEntry): boolean {
  const isOfSameRelay = one.relayUrl === made.relayUrl && one.instance === made.instance;
  return isOfSameRelay && one.isRefused === true && one.madeBecause !== undefined;
}

const WINDOW_MS = 10 * 60_000;
/** Other relays at one address that get a registration within the window. */
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

  /** Notes that the relay has refused a token that it had just given. */
  noteRefused(error: unknown): void {
    this.#refusal = { error, atMs: this.#now() };
  }

  /** The relay may accept new tokens again. */
  forgetRefusal(): void {
    this.#refusal = undefined;
  }

  /** @throws {unknown} the refusal of the last new token, or a `RelayUnreachableError`, when it is too early */
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

/** Why no app is paired at a relay, in sentences (rule P9). */
export const NEW_BECAUSE_NOTES: Readonly<Record<NewIdentityReason, string>> = {
  forgotten: PANEL["panel.notice-pair-again"],
  "other-relay": PANEL["panel.notice-other-relay"],
  insecure: PANEL["panel.notice-insecure"],
};
