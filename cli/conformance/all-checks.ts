import type { Check } from "./check.ts";
import { ANNOUNCE_CHECKS } from "./checks/announcing.ts";
import { EDGE_CHECKS } from "./checks/edge-checks.ts";
import { DOWNLOAD_CHECKS } from "./checks/downloads.ts";
import { ERROR_CHECKS, SUBJECT_CHECKS } from "./checks/errors.ts";
import { IMPORTER_CHECKS } from "./checks/importer-api.ts";
import { IMPORT_CHECKS } from "./checks/importing.ts";
import { LIMIT_CHECKS } from "./checks/limits.ts";
import { LONG_POLL_CHECKS } from "./checks/long-poll.ts";
import { FLOW_CHECKS } from "./checks/public-flow.ts";
import { REFUSAL_CHECKS } from "./checks/manifest-refusals.ts";
import { REPAIR_CHECKS } from "./checks/manifest.ts";
import { OWN_ANSWER_CHECKS } from "./checks/own-answers.ts";
import { PAGE_CHECKS } from "./checks/pages.ts";
import { PAIRING_EDGE_CHECKS } from "./checks/pairing-edges.ts";
import { PAIRING_CHECKS } from "./checks/pairing.ts";
import { PARTIAL_UPLOAD_CHECKS } from "./checks/partial-uploads.ts";
import { ROOM_CHECKS } from "./checks/room.ts";
import { STATE_CHECKS } from "./checks/states.ts";
import { TIME_CHECKS } from "./checks/time.ts";
import { TOKEN_CHECKS } from "./checks/tokens.ts";
import { UPLOAD_CHECKS } from "./checks/uploads.ts";
import { WAV_CHECKS } from "./checks/wav-validator.ts";

/** Every check, in the report's order. */
export const CHECKS: readonly Check[] = [
  ...PAIRING_CHECKS,
  ...PAIRING_EDGE_CHECKS,
  ...TOKEN_CHECKS,
  ...PAGE_CHECKS,
  ...ANNOUNCE_CHECKS,
  ...REFUSAL_CHECKS,
  ...REPAIR_CHECKS,
  ...EDGE_CHECKS,
  ...UPLOAD_CHECKS,
  ...PARTIAL_UPLOAD_CHECKS,
  ...WAV_CHECKS,
  ...STATE_CHECKS,
  ...FLOW_CHECKS,
  ...LONG_POLL_CHECKS,
  ...IMPORT_CHECKS,
  ...IMPORTER_CHECKS,
  ...DOWNLOAD_CHECKS,
  ...ERROR_CHECKS,
  ...SUBJECT_CHECKS,
  ...OWN_ANSWER_CHECKS,
  ...TIME_CHECKS,
  ...ROOM_CHECKS,
  ...LIMIT_CHECKS,
];
