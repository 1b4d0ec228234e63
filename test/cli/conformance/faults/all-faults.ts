import type { Fault } from "./breaking-proxy.ts";
import { FIRST_FAULTS } from "./first-faults.ts";
import { IMPORTER_FAULTS } from "./importer-faults.ts";
import { NAME_FAULTS } from "./name-faults.ts";
import { PART_FAULTS } from "./part-faults.ts";
import { WAV_FAULTS } from "./wav-faults.ts";

/** Every planted fault. */
export const FAULTS: readonly Fault[] = [
  ...FIRST_FAULTS,
  ...IMPORTER_FAULTS,
  ...NAME_FAULTS,
  ...PART_FAULTS,
  ...WAV_FAULTS,
];
