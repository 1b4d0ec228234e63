import type { Fault } from "./breaking-proxy.ts";
import { EDGE_FAULTS } from "./edge-faults.ts";
import { FIRST_FAULTS } from "./first-faults.ts";
import { IMPORTER_FAULTS } from "./importer-faults.ts";

/** Every planted fault. */
export const FAULTS: readonly Fault[] = [...FIRST_FAULTS, ...IMPORTER_FAULTS, ...EDGE_FAULTS];
