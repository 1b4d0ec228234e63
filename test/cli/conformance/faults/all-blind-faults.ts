import type { Fault } from "./breaking-proxy.ts";
import { EDGE_FAULTS } from "./blind-edge-faults.ts";
import { LEASE_FAULTS } from "./blind-lease-faults.ts";
import { POLL_FAULTS } from "./blind-poll-faults.ts";
import { TOKEN_FAULTS } from "./blind-token-faults.ts";
import { WEB_FAULTS } from "./blind-web-faults.ts";
import { WITHDRAWAL_FAULTS } from "./blind-withdrawal-faults.ts";
import { NAME_FAULTS } from "./blind-name-faults.ts";
import { PAIRING_FAULTS } from "./blind-pairing-faults.ts";
import { PART_FAULTS } from "./blind-part-faults.ts";
import { REST_FAULTS } from "./blind-rest-faults.ts";
import { STATE_FAULTS } from "./blind-state-faults.ts";
import { WAV_FAULTS } from "./blind-wav-faults.ts";

/** Faults planted by somebody who hadn't read the kit's checks. */
export const BLIND_FAULTS: readonly Fault[] = [
  ...EDGE_FAULTS,
  ...STATE_FAULTS,
  ...WITHDRAWAL_FAULTS,
  ...NAME_FAULTS,
  ...LEASE_FAULTS,
  ...POLL_FAULTS,
  ...PART_FAULTS,
  ...WAV_FAULTS,
  ...PAIRING_FAULTS,
  ...TOKEN_FAULTS,
  ...REST_FAULTS,
  ...WEB_FAULTS,
];
