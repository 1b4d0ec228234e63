import type { Answered, Asked } from "./breaking-proxy.ts";
import { instead, is } from "./tools.ts";

// What a fault remembers of the calls before.

/** The id of the package that a call is about; empty if it is about none. */
export function packageOf({ path }: Asked): string {
  return /^(?:\/importer)?\/packages\/([^/?]+)/.exec(path)?.[1] ?? "";
}

/** The token of a call, with its scheme. */
export function tokenOf({ headers }: Asked): string {
  return String(headers["authorization"]);
}

/** Counts by key. */
export class Counts {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, more = 1): number {
    const count = this.of(key) + more;
    this.#counts.set(key, count);
    return count;
  }
}

/** A package as an answer describes it. */
// oxlint-disable-next-line typescript/no-explicit-any -- a fault reaches into answers of every shape
export type Said = any;

/** The packages of an answer: those of a list, or the one that it is about. */
export function packagesIn({ json }: Answered): readonly Said[] {
  if (Array.isArray(json?.packages)) return json.packages;
  return json?.package_id === undefined ? [] : [json];
}

/** Remembers each token's last `GET /app/me`, to answer it when the token is revoked. */
export class LastMes {
  readonly #last = new Map<string, unknown>();

  note(answered: Answered, asked: Asked): void {
    if (is(asked, "GET", /^\/app\/me$/) && answered.status === 200) {
      this.#last.set(tokenOf(asked), answered.json);
    }
  }

  /** The answer of before, in place of a 401. */
  again(asked: Asked): Answered | undefined {
    const last = is(asked, "GET", /^\/app\/me$/) ? this.#last.get(tokenOf(asked)) : undefined;
    return last === undefined ? undefined : instead(200, last);
  }
}

/** The answer to a take. */
export function leaseOf(seconds: number): object {
  const ends = new Date(Date.now() + seconds * 1000);
  return { expires_at: ends.toISOString(), expires_in: seconds };
}
