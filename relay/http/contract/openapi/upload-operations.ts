import { MAX_SAMPLE_RATE_HZ, RELAY_DEFAULTS } from "../../../../core/limits.ts";
import { UPLOAD_ANSWER } from "../../../../core/protocol/schemas/app-schemas.ts";
import { UPLOAD_INTEROP_VERSION } from "../../../../core/protocol/upload-draft.ts";
import { type RefusalCode, REFUSALS } from "../../../../core/protocol/refusals.ts";
import type { Operation, Parameter } from "./operation.ts";
import * as sample from "./samples.ts";

// The app's calls that carry a sound, described.

const UPLOAD_REFUSALS: readonly RefusalCode[] = [
  "PACKAGE_UNKNOWN",
  "FILE_UNKNOWN",
  "UPLOAD_STALLED",
  "NOT_UPLOADING",
  "PACKAGE_EXPIRED",
  "SOUND_DENIED",
  "SIZE_DIFFERS",
  "CHECKSUM_DIFFERS",
  "FILE_IN_FORM",
  "FILE_ENCODED",
  ...wavRefusals(),
  "UPLOADS_TOO_MANY",
  "ADDRESS_BYTES_TOO_MANY",
  "DEVICE_FULL",
  "UPLOADS_UNFINISHED",
];

const INTEROP: Parameter = {
  in: "header",
  name: "Upload-Draft-Interop-Version",
  description:
    "The version of the draft “Resumable Uploads for HTTP” that you speak. A relay that speaks another one refuses the call: then send whole files with `PUT`.",
  required: true,
  schema: {
    type: "integer",
    const: UPLOAD_INTEROP_VERSION,
    examples: [UPLOAD_INTEROP_VERSION],
  },
};

export const upload: Operation = {
  id: "uploadFile",
  tag: "Packages",
  summary: "Upload one WAV",
  description:
    "Use the path from `upload` of the announcement as it is. Size, SHA-256 and WAV header are checked on the way; the first error decides " +
    "and nothing is stored. While the package is `uploading`, a file can be sent again and replaces the previous one; a replacement that fails " +
    "leaves the good one in place. Of a `waiting` package, the relay accepts only files that the status lists as `missing`: it lost them.\n\n" +
    `WAV as PCM with 8, 16, 24 or 32 bits or as 32-bit float, mono or stereo, up to ${MAX_SAMPLE_RATE_HZ / 1000} kHz. ` +
    `Uploads at once per computer: ${RELAY_DEFAULTS.uploadsPerDevice}.`,
  body: { kind: "wav" },
  answers: {
    200: { description: "The file is stored.", schema: UPLOAD_ANSWER, example: sample.UPLOADED },
  },
  refusals: UPLOAD_REFUSALS,
  stores: "writes",
};

export const readOffset: Operation = {
  id: "readUploadOffset",
  tag: "Packages",
  summary: "Find out how much of a WAV has arrived",
  description:
    "For files that are sent in parts. Ends an append of the file that still runs, and waits until its bytes are saved to disk. " +
    "The offset of a file that the package has is its size, with `Upload-Complete: ?1`. It is 0 where nothing can be resumed.",
  parameters: [INTEROP],
  answers: {
    204: {
      description: "So much has arrived.",
      headers: ["Interop", "UploadOffset", "UploadComplete", "UploadLength", "UploadLimit"],
    },
  },
  refusals: [
    "UPLOAD_VERSION_UNKNOWN",
    "PACKAGE_UNKNOWN",
    "FILE_UNKNOWN",
    "UPLOAD_REPLACED",
    "PACKAGE_EXPIRED",
  ],
  stores: "reads",
};

export const append: Operation = {
  id: "appendToFile",
  tag: "Packages",
  summary: "Upload the next part of one WAV",
  description:
    "What arrives stays, also when the connection breaks: ask for the offset and continue there. Size, SHA-256 and WAV header are checked as for `PUT`; " +
    "a file that is refused for them starts again at 0. Of two appends of one file, the newest wins: the other is answered `UPLOAD_REPLACED`.",
  parameters: [
    INTEROP,
    {
      in: "header",
      name: "Upload-Offset",
      description: "How many bytes of the file have arrived before this part.",
      required: true,
      schema: { type: "integer", minimum: 0, examples: [0] },
    },
    {
      in: "header",
      name: "Upload-Complete",
      description: "Whether the file ends with this part: `?1`, or `?0` if more follows.",
      required: true,
      schema: { type: "string", enum: ["?0", "?1"], examples: ["?1"] },
    },
  ],
  body: { kind: "part" },
  answers: {
    200: {
      description: "The file is stored.",
      schema: UPLOAD_ANSWER,
      example: sample.UPLOADED,
      headers: ["Interop", "UploadOffset", "UploadComplete"],
    },
    204: {
      description: "The part is stored. More must follow.",
      headers: ["Interop", "UploadOffset", "UploadComplete"],
    },
  },
  refusals: [
    "UPLOAD_VERSION_UNKNOWN",
    "UPLOAD_HEADERS_WRONG",
    "UPLOAD_TYPE_WRONG",
    "UPLOAD_OFFSET_DIFFERS",
    "UPLOAD_REPLACED",
    ...UPLOAD_REFUSALS,
  ],
  stores: "writes",
};

function wavRefusals(): RefusalCode[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table are the codes
  const codes = Object.keys(REFUSALS) as RefusalCode[];
  return codes.filter((code) => code.startsWith("WAV_"));
}
