import type { Kit } from "./kit.ts";

/** Why a check runs only on request (rule Q4). */
export type Need =
  /** It takes minutes, or waits for one of the relay's windows to end. */
  | "time"
  /** It uses up a limit, so this address or app has to wait afterwards. */
  | "limit";

/** Tests one promise of the contract against a relay. */
export interface Check {
  /** Stable, in kebab-case; accepted by `--only` and `--skip`. */
  readonly id: string;
  /** Its number in `docs/`, such as `U3`. */
  readonly rule: string;
  /** What the relay should do, such as "a wrong checksum is 422". */
  readonly title: string;
  readonly needs?: Need;
  /**
   * @throws {AssertionFailure} when the relay breaks the promise
   * @throws {Inconclusive} when the relay's behaviour can't be determined
   */
  run(kit: Kit): Promise<void>;
}
