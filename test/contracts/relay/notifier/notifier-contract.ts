import type { ContractCase, MakeStore, WaitOptions } from "../contract.ts";
import { LISTENING_CASES } from "./listening-cases.ts";
import { MISSING_CASES } from "./missing-cases.ts";
import { type NotifyingProcess, onNotifiers } from "./notifier-case.ts";

/** What a `Notifier` promises, within one process and between two. */
export function notifierContract(
  make: MakeStore<NotifyingProcess>,
  options: WaitOptions = {},
): readonly ContractCase[] {
  return onNotifiers(make, [...LISTENING_CASES, ...MISSING_CASES], options);
}
