import type { Fault } from "./breaking-proxy.ts";
import { EDGE_FAULTS } from "./edge-faults.ts";
import { CLAIM_FAULTS } from "./claim-faults.ts";
import { FIRST_FAULTS } from "./first-faults.ts";
import { IMPORTER_FAULTS } from "./importer-faults.ts";
import { LEASE_FAULTS } from "./lease-faults.ts";
import { LIMIT_FAULTS } from "./limit-faults.ts";
import { LIST_FAULTS } from "./list-faults.ts";
import { POLL_FAULTS } from "./poll-faults.ts";
import { REPORT_FAULTS } from "./report-faults.ts";
import { SPELLING_FAULTS } from "./spelling-faults.ts";
import { STATE_FAULTS } from "./state-faults.ts";
import { TOKEN_FAULTS } from "./token-faults.ts";
import { NAME_FAULTS } from "./name-faults.ts";
import { PART_FAULTS } from "./part-faults.ts";
import { WAV_FAULTS } from "./wav-faults.ts";

/** Every planted fault. */
export const FAULTS: readonly Fault[] = [
  ...FIRST_FAULTS,
  ...IMPORTER_FAULTS,
  ...EDGE_FAULTS,
  ...POLL_FAULTS,
  ...STATE_FAULTS,
  ...SPELLING_FAULTS,
  ...LIST_FAULTS,
  ...REPORT_FAULTS,
  ...LEASE_FAULTS,
  ...TOKEN_FAULTS,
  ...CLAIM_FAULTS,
  ...LIMIT_FAULTS,
  ...NAME_FAULTS,
  ...PART_FAULTS,
  ...WAV_FAULTS,
];
