import type { Kit } from "./kit.ts";

/** What a check costs beyond a few calls; such a check runs only when it was asked for (rule Q4). */
export type Need =
  /** Minutes pass, or a window of the relay's has to end. */
  | "time"
  /** Uses up a limit, so that this address or app has to wait afterwards. */
  | "limit";

/** One thing that the contract promises, tried out at a relay. */
export interface Check {
  /** Stable, kebab-case; `--only` and `--skip` take it. */
  readonly id: string;
  /** The number under which `docs/rules/` has it, such as `U3`. */
  readonly rule: string;
  /** What the relay should do, as a sentence's end: "… refuses a wrong checksum". */
  readonly title: string;
  readonly needs?: Need;
  /**
   * @throws {AssertionFailure} when the relay does not do it
   * @throws {Inconclusive} when it can't be found out
   */
  run(kit: Kit): Promise<void>;
}
