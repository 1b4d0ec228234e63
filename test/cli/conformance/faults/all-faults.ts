import type { Fault } from "./breaking-proxy.ts";
import { FIRST_FAULTS } from "./first-faults.ts";
import { IMPORTER_FAULTS } from "./importer-faults.ts";

/** Every planted fault. */
export const FAULTS: readonly Fault[] = [...FIRST_FAULTS, ...IMPORTER_FAULTS];
