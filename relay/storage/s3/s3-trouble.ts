import { StoreFullError, StoreTroubleError } from "../../domain/ports.ts";
import { codeOf } from "../error-codes.ts";

/** Advice to an operator, by the service's code of a failed call. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ["AccessDenied", "The key may not do this. Let it read, write, list and delete in the bucket."],
  ["InvalidAccessKeyId", "The service doesn't know the access key. Check the settings."],
  ["SignatureDoesNotMatch", "The secret key is another one. Check the settings."],
  ["NoSuchBucket", "There is no such bucket. Create it, or check the settings."],
  ["RequestTimeTooSkewed", "The clocks of this computer and of the service differ. Correct them."],
  ["ENOTFOUND", "The service's host name is unknown. Check the settings."],
  ["EAI_AGAIN", "The service's host name can't be looked up now."],
  ["ECONNREFUSED", "Nothing answers at the service's address."],
]);

const FULL_CODES = new Set([
  "QuotaExceeded",
  "InsufficientStorage",
  "XMinioStorageFull",
  "EntityTooLarge",
]);
const FULL_STATUS = new Set([413, 507]);
const MISSING_CODES = new Set(["NoSuchKey", "NotFound"]);

/** Checks whether the call failed because there is no such object. A missing bucket doesn't count. */
export function isMissing(error: unknown): boolean {
  return error instanceof StoreTroubleError && MISSING_CODES.has(error.code);
}

/**
 * Checks whether the service refused the call. After any other failure the call may have been done nevertheless: the
 * answer was lost, late or not final.
 */
export function isRefused(error: unknown): boolean {
  if (error instanceof StoreFullError) return true;
  const status = s3StatusOf(error);
  return status !== undefined && status >= 400 && status < 500 && status !== 408;
}

/** Converts an error to the port's, with a sentence for the operator. The port's own stay as they are. */
export function namedS3(error: unknown, where: string): Error {
  if (error instanceof StoreTroubleError) return error;
  const code = s3CodeOf(error);
  const status = s3StatusOf(error);
  if (FULL_CODES.has(code) || (status !== undefined && FULL_STATUS.has(status))) {
    const sentence = `${where}: The service has no room left, or its quota is used up. Raise it, or free some.`;
    return new StoreFullError(sentence, { cause: error });
  }
  const why = error instanceof Error ? error.message : String(error);
  const unknown = status === undefined ? "The service can't be reached" : "The service fails";
  const advice = ADVICE.get(code) ?? `${unknown} (${why}).`;
  return new StoreTroubleError(`${where}: ${advice}`, { cause: error, code });
}

/** The service's code of a failed call, or the system's; the error's name for others. */
function s3CodeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return codeOf(error) || error.name;
}

/** The HTTP status that a call failed with; undefined if no answer came. */
export function s3StatusOf(error: unknown): number | undefined {
  const failure = error instanceof StoreTroubleError ? error.cause : error;
  if (!(failure instanceof Error) || !("$metadata" in failure)) return undefined;
  const { $metadata: metadata } = failure;
  if (typeof metadata !== "object" || metadata === null) return undefined;
  const status: unknown = Reflect.get(metadata, "httpStatusCode");
  return typeof status === "number" ? status : undefined;
}
