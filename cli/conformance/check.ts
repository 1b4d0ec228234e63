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
  readonly needs?: Need;
  /**
   * @throws {AssertionFailure} when the relay breaks the promise
   * @throws {Inconclusive} when the relay's behavior can't be determined
   */
  run(kit: Kit): Promise<void>;
}
