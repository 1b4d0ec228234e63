import { MAX_PACKAGE_BYTES } from "../limits.ts";

// Headers and values of "Resumable Uploads for HTTP", an Internet-Draft of the HTTP working group (rule U10).

/** The supported interop version of the draft. A client with another one sends whole files with `PUT`. */
export const UPLOAD_INTEROP_VERSION = 8;

/** Names of headers, in lower case. */
export const UPLOAD_HEADERS = {
  interop: "upload-draft-interop-version",
  offset: "upload-offset",
  complete: "upload-complete",
  length: "upload-length",
  limit: "upload-limit",
} as const;

/** The content type of an append. */
export const PARTIAL_UPLOAD_TYPE = "application/partial-upload";

/** The `type` of the problem of a wrong offset. */
export const MISMATCHING_OFFSET =
  "https://iana.org/assignments/http-problem-types#mismatching-upload-offset";

/** A structured field's integer has at most 15 digits. */
const OFFSET = /^\d{1,15}$/;

/** Parses `Upload-Offset`; undefined if it isn't a number of bytes. */
export function parseUploadOffset(text: string | undefined): number | undefined {
  return text !== undefined && OFFSET.test(text) ? Number(text) : undefined;
}

/** Parses `Upload-Complete`; undefined if it is neither `?0` nor `?1`. */
export function parseUploadComplete(text: string | undefined): boolean | undefined {
  if (text === "?1") return true;
  return text === "?0" ? false : undefined;
}

/** Formats `Upload-Complete`. */
export function formatUploadComplete(isComplete: boolean): string {
  return isComplete ? "?1" : "?0";
}

/**
 * Formats `Upload-Limit` for one file, or for any.
 * @param maxAgeSeconds how long the file can still be sent
 */
export function formatUploadLimit(
  maxBytes: number = MAX_PACKAGE_BYTES,
  maxAgeSeconds?: number,
): string {
  const age = maxAgeSeconds === undefined ? "" : `, max-age=${maxAgeSeconds}`;
  return `max-size=${maxBytes}, min-size=0${age}`;
}
