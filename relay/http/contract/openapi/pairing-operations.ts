import { CONSENT_SECONDS } from "../../../../core/limits.ts";
import { NOTHING } from "../../../../core/protocol/schemas/common-schemas.ts";
import {
  PAIRING_CODE_ANSWER,
  PAIRING_REPLY,
  PAIRING_REQUEST_ANSWER,
} from "../../../../core/protocol/schemas/importer-schemas.ts";
import { formatLimitSpan } from "../../../../core/text/format-limit.ts";
import type { Operation } from "./operation.ts";
import * as sample from "./samples.ts";

// The importer's calls about pairing codes (rules P2, P12), described.

export const issueCode: Operation = {
  id: "makePairingCode",
  tag: "Importer",
  summary: "Get a new pairing code",
  description: "Replaces the previous code. It is shown as `K7M Q2X`.",
  answers: {
    201: { description: "The code.", schema: PAIRING_CODE_ANSWER, example: sample.PAIRING_CODE },
  },
  stores: "writes",
};

export const endCode: Operation = {
  id: "endPairingCode",
  tag: "Importer",
  summary: "End the pairing code early",
  description: "No app can pair with it any more. Fine without a code.",
  answers: { 200: { description: "There is no code now.", schema: NOTHING, example: {} } },
  stores: "writes",
};

export const pairingRequest: Operation = {
  id: "readPairingRequest",
  tag: "Importer",
  summary: "Get the app that waits for a yes",
  description:
    "While somebody guesses codes, an app that has claimed the right one is paired only after a yes of this computer's user.",
  answers: {
    200: {
      description: "The request, if there is one.",
      schema: PAIRING_REQUEST_ANSWER,
      example: sample.PAIRING_REQUEST,
    },
  },
  stores: "reads",
};

export const answerPairing: Operation = {
  id: "answerPairingRequest",
  tag: "Importer",
  summary: "Allow an app that waits, or don't",
  description: `A yes pairs the app at once, or on its next try within ${formatLimitSpan(CONSENT_SECONDS)}. A no ends the code.`,
  body: {
    kind: "json",
    schema: PAIRING_REPLY,
    isRequired: true,
    example: { request_id: sample.PAIRING_REQUEST.request.request_id, answer: "allow" },
  },
  answers: { 200: { description: "Answered.", schema: NOTHING, example: {} } },
  refusals: ["PAIRING_ANSWER_WRONG", "PAIRING_REQUEST_OVER"],
  stores: "writes",
};
