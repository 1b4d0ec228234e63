import type { NewIdentityReason } from "../state/identity-entries.ts";
import { RelayUnreachableError } from "./relay-errors.ts";

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
