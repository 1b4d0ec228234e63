import {
  ANSWER_BYTES,
  BODY_BYTES,
  type BudgetLimits,
  CONNECTION_PACE,
  CONNECTIONS_PER_ADDRESS,
  DOWNLOADS,
  LAN_CONNECTIONS,
  MAX_SOCKETS_PER_DEVICE,
  POLLS,
  SOCKETS_PER_ADDRESS,
  SPARE_DESCRIPTORS,
  UPLOAD_PACE,
  UPLOADS_PER_ADDRESS,
  WAITING_CLAIMS,
  WAITING_CLAIMS_PER_ADDRESS,
} from "../core/quotas/budgets.ts";
import type { Resource } from "./domain/admission/budgets.ts";
import type { RelaySettings } from "./settings.ts";

/** The largest share of the process's open files that uploads may have. */
const SHARE_FOR_UPLOADS = 0.25;
/** The least number of connections, however few files the process may open. */
const FEWEST_CONNECTIONS = 64;

/**
 * Returns the budgets of the relay's scarce resources (rule L6).
 * @param descriptors number of files and connections that the process may have open
 */
export function budgetsOf(
  settings: RelaySettings,
  descriptors = Infinity,
): Readonly<Record<Resource, BudgetLimits>> {
  const { sockets, bufferBytes } = settings;
  const uploads = Math.min(settings.uploads, Math.floor(descriptors * SHARE_FOR_UPLOADS));
  const spare = SPARE_DESCRIPTORS + uploads + DOWNLOADS.all;
  const most = Math.max(FEWEST_CONNECTIONS, descriptors - spare);
  return {
    connections: {
      ...withoutTokens(CONNECTIONS_PER_ADDRESS, Math.min(settings.connections, most)),
      pace: CONNECTION_PACE,
    },
    "lan-connections": LAN_CONNECTIONS,
    sockets: {
      ...withoutTokens(SOCKETS_PER_ADDRESS, sockets),
      perDevice: MAX_SOCKETS_PER_DEVICE,
    },
    bodies: { ...BODY_BYTES, all: bufferBytes },
    answers: { ...ANSWER_BYTES, all: bufferBytes },
    uploads: {
      perPairing: settings.uploadsPerPairing,
      perDevice: settings.uploadsPerDevice,
      perAddress: UPLOADS_PER_ADDRESS,
      all: uploads,
      pace: UPLOAD_PACE,
    },
    downloads: DOWNLOADS,
    polls: POLLS,
    // A claimant isn't an app of anybody's yet, so none is proven.
    claims: { ...withoutTokens(WAITING_CLAIMS_PER_ADDRESS, WAITING_CLAIMS), provenShare: 0 },
  };
}

function withoutTokens(perAddress: number, all: number): BudgetLimits {
  return { perPairing: Infinity, perDevice: Infinity, perAddress, all };
}
