import { MAX_ERROR_UNITS, MAX_PROBLEMS, MAX_WARNING_UNITS } from "../../limits.ts";
import { PACKAGE_STATUSES } from "../package-status.ts";
import type { Difference, PackageStatus, SoundResult, SoundResults } from "../package-status.ts";
import type { Warning } from "../../manifest/manifest.ts";
import type { ErrorAnswer, Problem } from "../public-api.ts";
import type { Agree, Schema } from "./schema.ts";

// Schemas that both APIs share. The checks at the end keep types and schemas in agreement.

/** A timestamp in an answer. */
export const TIME = {
  description: "ISO 8601, UTC, with milliseconds.",
  type: "string",
  format: "date-time",
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$",
} as const satisfies Schema;

/** A span next to a timestamp, since clocks differ. */
export const SECONDS = {
  description: "Whole seconds from now; clocks differ, so countdowns use this.",
  type: "integer",
  minimum: 0,
} as const satisfies Schema;

/** SHA-256 in an answer. */
export const SHA256 = {
  description: "SHA-256 in lower-case hex.",
  type: "string",
  pattern: "^[0-9a-f]{64}$",
} as const satisfies Schema;

/** `status` of a package. */
export const PACKAGE_STATUS = {
  description:
    "`uploading`: files are still being sent. `waiting`: committed, waiting for Import. `imported`, `partial`, `failed`: " +
    "the result of the last Import. `expired`: it was not committed or imported in time.",
  type: "string",
  enum: PACKAGE_STATUSES,
} as const satisfies Schema;

/** A setting's value in a difference. */
const SETTING = { type: ["string", "number", "boolean", "null"] } as const satisfies Schema;

/** One setting for which the host holds a value other than the requested one. */
export const DIFFERENCE = {
  description:
    "A setting that differs in the host from what was asked: track, clip, file, warping, warp_mode, looping, " +
    "start and loop_start (seconds from the file's first sample), loop_beats, tempo_bpm, warp_markers (a text), " +
    "color_index, gain_db, or another.",
  type: "object",
  properties: { setting: { type: "string" }, asked: SETTING, got: SETTING },
  required: ["setting", "asked", "got"],
} as const satisfies Schema;

/** The result of one sound. */
export const SOUND_RESULT = {
  description: "The result of one sound.",
  type: "object",
  properties: {
    status: { type: "string", enum: ["imported", "skipped", "failed"] },
    track: { description: "The track that was made.", type: "string" },
    file: {
      description:
        "The name of the file on the importer's disk; not the manifest's `file`. Absent if it wasn't fetched.",
      type: "string",
    },
    path: {
      description: "That file's path below the importer's sounds folder, with `/`.",
      type: "string",
    },
    notes: { type: "array", items: { type: "string" } },
    differences: { type: "array", items: DIFFERENCE },
    error: { description: "Why it is not in the host.", type: "string" },
  },
  required: ["status"],
} as const satisfies Schema;

/** The results of a package. */
export const SOUND_RESULTS = {
  description: "A result for each sound, by its `id`.",
  type: "object",
  additionalProperties: SOUND_RESULT,
} as const satisfies Schema;

/** One repair to a manifest. */
export const WARNING = {
  description: "One thing that was repaired in the manifest.",
  type: "object",
  properties: {
    code: { description: "Stable.", type: "string", pattern: "^[A-Z][A-Z0-9_]*$" },
    message: { description: "Plain English.", type: "string", maxLength: MAX_WARNING_UNITS },
    sound: { description: "The `id` of the sound that it concerns.", type: "string" },
    field: { description: "The property that it concerns, such as `tempo.bpm`.", type: "string" },
  },
  required: ["code", "message"],
} as const satisfies Schema;

/** Members of a problem: its sentence, code and subject. */
const PROBLEM_MEMBERS = {
  error: {
    description: "Show it as it is.",
    type: "string",
    minLength: 1,
    maxLength: MAX_ERROR_UNITS,
  },
  code: { type: "string", pattern: "^[A-Z][A-Z0-9_]*$" },
  sound: { description: "The `id` of the sound that it is about.", type: "string" },
  file: { description: "That sound's `file`.", type: "string" },
  field: { description: "The property that it is about, such as `sha256`.", type: "string" },
  position: {
    description: "That sound's place in the package, from 1.",
    type: "integer",
    minimum: 1,
  },
} as const satisfies Schema["properties"];

/** One of the problems of a manifest. */
export const PROBLEM = {
  description: "One thing that is wrong. What it is about is there as far as it is known.",
  type: "object",
  properties: PROBLEM_MEMBERS,
  required: ["error", "code"],
} as const satisfies Schema;

/** The body of every response with status 400 or above (rules E1, E3). */
export const ERROR_ANSWER = {
  description:
    "A refusal: `error` is a sentence for people, `code` is stable and for programs. A proxy in front of the relay may answer " +
    "with a body that isn't JSON; treat it as empty.",
  type: "object",
  properties: {
    ...PROBLEM_MEMBERS,
    problems: {
      description:
        "With every 422 of an announcement: all that is wrong with it, the first as above. With too many, the last is `MORE_PROBLEMS`.",
      type: "array",
      maxItems: MAX_PROBLEMS,
      items: PROBLEM,
    },
    missing: {
      description: "With `FILES_MISSING`: every file that is missing.",
      type: "array",
      items: { type: "string" },
    },
    type: {
      description: "With `UPLOAD_OFFSET_DIFFERS`: the problem's type in the draft.",
      type: "string",
    },
    "expected-offset": {
      description: "With `UPLOAD_OFFSET_DIFFERS`: where the next part begins.",
      type: "integer",
    },
    "provided-offset": {
      description: "With `UPLOAD_OFFSET_DIFFERS`: where this one did.",
      type: "integer",
    },
    expires_in: { ...SECONDS, description: "With `RUN_ELSEWHERE`: the seconds left." },
    importer_api: {
      description: "With `IMPORTER_TOO_OLD`: the supported versions.",
      type: "array",
      items: { type: "integer" },
    },
    reason: {
      description:
        "With `/readyz`: why no change succeeds, or `draining` while the relay is being replaced.",
      type: "string",
      enum: ["full", "locked", "lost", "failing", "draining"],
    },
    part: {
      description:
        "With `NOT_READY` of `/readyz`: whether the database or the store of the sounds fails.",
      type: "string",
      enum: ["database", "store"],
    },
    notices: {
      description: "With `/readyz`: what an operator should know, in sentences.",
      type: "array",
      items: { type: "string" },
    },
  },
  required: ["error", "code"],
} as const satisfies Schema;

/** An empty answer; the status says everything. */
export const NOTHING = { type: "object", properties: {} } as const satisfies Schema;

// Compile errors if a type and its schema differ.
true satisfies Agree<PackageStatus, typeof PACKAGE_STATUS>;
true satisfies Agree<Difference, typeof DIFFERENCE>;
true satisfies Agree<SoundResult, typeof SOUND_RESULT>;
true satisfies Agree<SoundResults, typeof SOUND_RESULTS>;
true satisfies Agree<Warning, typeof WARNING>;
true satisfies Agree<Problem, typeof PROBLEM>;
true satisfies Agree<ErrorAnswer, typeof ERROR_ANSWER>;
