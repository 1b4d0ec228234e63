import { PLACE } from "./folder-keepers.ts";
import type { Keeper } from "./keeper.ts";
import { IMPORT, STEPS, TOGETHER } from "./run-keepers.ts";
import { DISMISSED, IDENTITIES, RESULTS, TURNS } from "./state-keepers.ts";

export const KEEPERS: readonly Keeper[] = [
  IDENTITIES,
  RESULTS,
  TURNS,
  DISMISSED,
  PLACE,
  STEPS,
  TOGETHER,
  IMPORT,
];
