import type { Kit } from "./kit.ts";

/** The reason why a check runs only on request (rule Q4). */
export type Need =
  /** The check takes minutes, or waits for one of the relay's windows to end. */
  | "time"
  /** The check uses up a limit, so this address or app has to wait afterwards. */
  | "limit";

/** Tests one promise of the contract against a relay. */
export interface Check {
  /** A stable id in kebab-case; accepted by `--only` and `--skip`. */
  readonly id: string;
  /** Its number in `docs/`, such as `U3`. */
  readonly rule: string;
  /** The promise, such as "a wrong checksum is 422". */
  readonly title: string;
  /**
   * Section and words of the public specification that promise it, such as `2.4 file: at most 100 characters`. A check
   * without it tries what only this project's rules say.
   */
  readonly spec?: string;
  /** Set for a check that a whole run makes in another way, with apps of its own. */
  readonly isPublicOnly?: true;
  readonly needs?: Need;
  /** Set for a check that mostly waits: it runs beside the others and takes no place of theirs. */
  readonly isLong?: true;
  /** Set for a check that ends something that all others need: it runs after them. */
  readonly isLast?: true;
  /**
   * @throws {AssertionFailure} when the relay breaks the promise
   * @throws {Inconclusive} when the relay's behavior can't be determined
   * @throws {LeftOut} when the promise doesn't concern this relay
   */
  run(kit: Kit): Promise<void>;
}
