import { BLIND_FAULTS } from "./all-blind-faults.ts";
import type { Fault } from "./breaking-proxy.ts";
import { CLAIM_FAULTS } from "./claim-faults.ts";
import { EDGE_FAULTS } from "./edge-faults.ts";
import { FIRST_FAULTS } from "./first-faults.ts";
import { IMPORTER_FAULTS } from "./importer-faults.ts";
import { LEASE_FAULTS } from "./lease-faults.ts";
import { LIMIT_FAULTS } from "./limit-faults.ts";
import { LIST_FAULTS } from "./list-faults.ts";
import { NAME_FAULTS } from "./name-faults.ts";
import { PART_FAULTS } from "./part-faults.ts";
import { POLL_FAULTS } from "./poll-faults.ts";
import { REPORT_FAULTS } from "./report-faults.ts";
import { SPELLING_FAULTS } from "./spelling-faults.ts";
import { STATE_FAULTS } from "./state-faults.ts";
import { TOKEN_FAULTS } from "./token-faults.ts";
import { WAV_FAULTS } from "./wav-faults.ts";

/** Faults planted beside the checks, by what they break. */
const OWN_GROUPS = {
  "edges of limits": EDGE_FAULTS,
  "names and titles": NAME_FAULTS,
  "WAV files": WAV_FAULTS,
  "uploads in parts": PART_FAULTS,
  "states, reports, lists": [...STATE_FAULTS, ...REPORT_FAULTS, ...LIST_FAULTS],
  "leases and waits": [...LEASE_FAULTS, ...POLL_FAULTS],
  "pairing and tokens": [...CLAIM_FAULTS, ...TOKEN_FAULTS],
  "limits and room": LIMIT_FAULTS,
  "everything else": [...FIRST_FAULTS, ...IMPORTER_FAULTS, ...SPELLING_FAULTS],
} as const satisfies Readonly<Record<string, readonly Fault[]>>;

export const FAULTS: readonly Fault[] = Object.values(OWN_GROUPS).flat();

/** Every planted fault; the last group by somebody who hadn't read the checks. */
export const FAULT_GROUPS: Readonly<Record<string, readonly Fault[]>> = {
  ...OWN_GROUPS,
  "written blind": BLIND_FAULTS,
};
