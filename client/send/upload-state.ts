import {
  formatUploadComplete,
  PARTIAL_UPLOAD_TYPE,
  parseUploadComplete,
  parseUploadOffset,
  UPLOAD_HEADERS,
  UPLOAD_INTEROP_VERSION,
} from "../../core/protocol/upload-draft.ts";
import { ClientError } from "../wire/client-error.ts";

/** How much of a file a relay has. */
export interface UploadState {
  /** Bytes. */
  readonly offset: number;
  /** Whether the file is there and was judged well. */
  readonly isComplete: boolean;
}

/** The request headers of `HEAD`. */
export const STATE_HEADERS: Readonly<Record<string, string>> = {
  [UPLOAD_HEADERS.interop]: String(UPLOAD_INTEROP_VERSION),
};

/** The request headers of an append that ends the file. */
export function appendHeaders(offset: number): Readonly<Record<string, string>> {
  return {
    ...STATE_HEADERS,
    "Content-Type": PARTIAL_UPLOAD_TYPE,
    [UPLOAD_HEADERS.offset]: String(offset),
    [UPLOAD_HEADERS.complete]: formatUploadComplete(true),
  };
}

/** undefined from a relay that speaks another version, or none. */
export function readUploadState(headers: Headers): UploadState | undefined {
  const valueOf = (name: string): string | undefined => headers.get(name) ?? undefined;
  const offset = parseUploadOffset(valueOf(UPLOAD_HEADERS.offset));
  const isComplete = parseUploadComplete(valueOf(UPLOAD_HEADERS.complete));
  return offset === undefined || isComplete === undefined ? undefined : { offset, isComplete };
}

/** Whether a refusal says that the relay resumes no uploads: it doesn't know the method or the version. */
export function isNotResumable(error: unknown): boolean {
  return (
    error instanceof ClientError &&
    error.status !== undefined &&
    [400, 404, 405, 415, 501].includes(error.status)
  );
}
