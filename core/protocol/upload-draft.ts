import { MAX_PACKAGE_BYTES } from "../limits.ts";

// What "Resumable Uploads for HTTP" puts on the wire, an Internet-Draft of the HTTP working group (rule U10).

/** The interop version of the draft that is spoken. Who speaks another one sends whole files with `PUT`. */
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

/** The `type` of the problem that a wrong offset is. */
export const MISMATCHING_OFFSET =
  "https://iana.org/assignments/http-problem-types#mismatching-upload-offset";

/** A structured field's integer has at most 15 digits. */
const OFFSET = /^\d{1,15}$/;

/** `Upload-Offset`; undefined if it is no number of bytes. */
export function parseUploadOffset(text: string | undefined): number | undefined {
  return text !== undefined && OFFSET.test(text) ? Number(text) : undefined;
}

/** `Upload-Complete`; undefined if it is neither `?0` nor `?1`. */
export function parseUploadComplete(text: string | undefined): boolean | undefined {
  if (text === "?1") return true;
  return text === "?0" ? false : undefined;
}

/** `Upload-Complete`. */
export function formatUploadComplete(isComplete: boolean): string {
  return isComplete ? "?1" : "?0";
}

/**
 * `Upload-Limit`: of one file, or of any.
 * @param maxAgeSeconds how long the file can still be sent
 */
export function formatUploadLimit(
  maxBytes: number = MAX_PACKAGE_BYTES,
  maxAgeSeconds?: number,
): string {
  const age = maxAgeSeconds === undefined ? "" : `, max-age=${maxAgeSeconds}`;
  return `max-size=${maxBytes}, min-size=0${age}`;
}
