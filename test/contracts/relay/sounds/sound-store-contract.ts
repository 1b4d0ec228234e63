import type { ContractCase } from "../contract.ts";
import { DELETING_CASES } from "./deleting-cases.ts";
import { FINISHING_CASES } from "./finishing-cases.ts";
import { KEY_CASES } from "./key-cases.ts";
import { READING_CASES } from "./reading-cases.ts";
import { type MakeSoundStore, onSoundStore } from "./sounds-case.ts";

/**
 * What every `SoundStore` promises, with one instance and with two on one store, and after power cuts. A store
 * that lists, resumes or quarantines proves that with `listingContract`, `resumingContract` and
 * `quarantineContract`.
 */
export function soundStoreContract(make: MakeSoundStore): readonly ContractCase[] {
  const cases = [...READING_CASES, ...FINISHING_CASES, ...KEY_CASES, ...DELETING_CASES];
  return onSoundStore(make, cases);
}
