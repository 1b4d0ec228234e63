import type { PACKAGE_AUDIO } from "../../layout/audio-schema.js";
import type { LAYOUT } from "../../layout/layout-schema.js";
import type { CLAIM_REQUEST } from "./app-schemas.js";
import type { SOUND_RESULT } from "./common-schemas.js";
import type { DEVICE_NAME_REQUEST, TAKE_REQUEST } from "./importer-schemas.js";
import type { FromSchema } from "./schema.js";

/** One violation of a schema. */
export interface Fault {
  /** JSON Pointer of the value. */
  readonly instancePath: string;
  /** The schema's keyword, such as `maxLength`. */
  readonly keyword: string;
}

/** Checks a value against its schema; afterwards `errors` has its first fault, and those inside a `oneOf`. */
interface Validator<S> {
  (value: unknown): value is FromSchema<S>;
  readonly errors?: readonly Fault[] | null;
}

export const isClaimRequest: Validator<typeof CLAIM_REQUEST>;
export const isDeviceName: Validator<(typeof DEVICE_NAME_REQUEST)["properties"]["device_name"]>;
export const isRunId: Validator<(typeof TAKE_REQUEST)["properties"]["run_id"]>;
export const isSoundResult: Validator<typeof SOUND_RESULT>;
export const isLayout: Validator<typeof LAYOUT>;
export const isPackageAudio: Validator<typeof PACKAGE_AUDIO>;
