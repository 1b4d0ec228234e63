import { FOLLOWS_REDIRECT } from "../../../../core/protocol/importer-api.ts";
import {
  MAX_PAGE_PACKAGES,
  MAX_RESULT_ENTRIES,
  MAX_RESULT_UNITS,
  PING_SECONDS,
  RELAY_DEFAULTS,
} from "../../../../core/limits.ts";
import { formatLimitSpan, JSON_SIZE, RESULTS_SIZE } from "../../../../core/text/format-limit.ts";
import {
  APPS_ANSWER,
  DEVICE_NAME_ANSWER,
  DEVICE_NAME_REQUEST,
  HELLO_ANSWER,
  IMPORTABLE_PACKAGE,
  IMPORTER_ME_ANSWER,
  PACKAGES_ANSWER,
  REGISTER_ANSWER,
  REPORT_ANSWER,
  REPORT_REQUEST,
  SOCKET_MESSAGE,
  TAKE_ANSWER,
  TAKE_REQUEST,
} from "../../../../core/protocol/schemas/importer-schemas.ts";
import { NOTHING } from "../../../../core/protocol/schemas/common-schemas.ts";
import { header, query, type Operation } from "./operation.ts";
import * as sample from "./samples.ts";

// The importer's calls but those of pairing codes (rules P1, P7, P8, I1–I5), described.

export const hello: Operation = {
  id: "hello",
  tag: "Importer",
  summary: "Get the relay's version and API versions",
  answers: { 200: { description: "A relay.", schema: HELLO_ANSWER, example: sample.HELLO } },
};

export const register: Operation = {
  id: "registerImporter",
  tag: "Importer",
  summary: "Register a computer",
  description: "An empty body is fine. As many tries a minute as pairing, per address.",
  parameters: [header("X-Soundferry-Registration-Key", "The key, if the relay requires one.")],
  body: {
    kind: "json",
    schema: DEVICE_NAME_REQUEST,
    isRequired: false,
    example: { device_name: "Studio" },
  },
  answers: {
    201: { description: "Registered.", schema: REGISTER_ANSWER, example: sample.REGISTERED },
  },
  refusals: [
    "IMPORTER_TOO_OLD",
    "REGISTRATIONS_OFF",
    "TRIES_TOO_MANY",
    "REGISTRATION_KEY_WRONG",
    "REGISTRATION_KEY_ENDED",
    "REGISTRATION_KEY_USED_UP",
    "REGISTRATION_KEY_REMOVED",
    "DEVICE_NAME_WRONG",
    "REGISTRATIONS_TOO_MANY",
    "NETWORK_REGISTRATIONS_TOO_MANY",
  ],
  stores: "writes",
};

export const me: Operation = {
  id: "readComputer",
  tag: "Importer",
  summary: "Get this computer and the network it calls from",
  description: "Behind a proxy, `network` shows whether the relay is given its callers' addresses.",
  answers: {
    200: {
      description: "This computer.",
      schema: IMPORTER_ME_ANSWER,
      example: { device_name: "Studio", network: "203.0.113.0/24" },
    },
  },
  stores: "reads",
};

export const rename: Operation = {
  id: "renameComputer",
  tag: "Importer",
  summary: "Rename this computer",
  body: {
    kind: "json",
    schema: DEVICE_NAME_REQUEST,
    isRequired: true,
    example: { device_name: "Studio" },
  },
  answers: {
    200: {
      description: "The name as it is now.",
      schema: DEVICE_NAME_ANSWER,
      example: { device_name: "Studio" },
    },
  },
  refusals: ["DEVICE_NAME_WRONG"],
  stores: "writes",
};

export const remove: Operation = {
  id: "removeComputer",
  tag: "Importer",
  summary: "Forget this computer",
  description: "With its tokens, its apps and its packages, at once.",
  answers: { 200: { description: "Forgotten.", schema: NOTHING, example: {} } },
  stores: "writes",
};

export const apps: Operation = {
  id: "listApps",
  tag: "Importer",
  summary: "List the paired apps",
  answers: { 200: { description: "The apps.", schema: APPS_ANSWER, example: sample.APPS } },
  stores: "reads",
};

export const unpair: Operation = {
  id: "unpairApp",
  tag: "Importer",
  summary: "Unpair an app",
  description:
    "Revokes all its tokens, and deletes what it is uploading and what waits, unless a run holds it.",
  answers: { 200: { description: "Unpaired.", schema: NOTHING, example: {} } },
  refusals: ["PAIRING_UNKNOWN"],
  stores: "writes",
};

export const packages: Operation = {
  id: "listPackages",
  tag: "Importer",
  summary: "List what can be imported",
  description:
    "Committed packages whose files exist: those that wait first, both parts newest first, without results. A page has " +
    `at most ${MAX_PAGE_PACKAGES} packages and ${JSON_SIZE}, or one package. A call without \`after\` whose importer ` +
    "names no API version gets the whole list, or 426 if that is longer.",
  parameters: [query("after", "`next` of the page before; empty for the first page.")],
  answers: {
    200: { description: "The packages.", schema: PACKAGES_ANSWER, example: sample.PACKAGES },
  },
  refusals: ["CURSOR_WRONG"],
  stores: "reads",
};

export const readPackage: Operation = {
  id: "readPackage",
  tag: "Importer",
  summary: "Get one package with its results",
  answers: {
    200: {
      description: "The package. `results` are there once it was reported.",
      schema: IMPORTABLE_PACKAGE,
      example: sample.IMPORTED_PACKAGE,
    },
  },
  refusals: ["PACKAGE_UNKNOWN", "PACKAGE_NOT_COMMITTED", "PACKAGE_EXPIRED"],
  stores: "reads",
};

export const take: Operation = {
  id: "takePackage",
  tag: "Importer",
  summary: "Hold a package while it is imported",
  description:
    `For ${formatLimitSpan(RELAY_DEFAULTS.leaseSeconds)} from the last heartbeat: the same take again, and every MiB of a download, renew it. Meanwhile the app can't withdraw the ` +
    "package, and another run gets 409 with the seconds left. An empty body is fine.",
  body: {
    kind: "json",
    schema: TAKE_REQUEST,
    isRequired: false,
    example: { run_id: "run-1" },
  },
  answers: { 200: { description: "Held.", schema: TAKE_ANSWER, example: sample.TAKEN } },
  refusals: [
    "PACKAGE_UNKNOWN",
    "RUN_ID_WRONG",
    "SOUND_DENIED",
    "RUN_ELSEWHERE",
    "PACKAGE_EXPIRED",
    "PACKAGE_NOT_COMMITTED",
  ],
  stores: "writes",
};

export const download: Operation = {
  id: "downloadFile",
  tag: "Importer",
  summary: "Download one WAV",
  description: "Several ranges, or an `If-Range` that is not this file's, give the whole file.",
  parameters: [
    header("Range", "One range of bytes, such as `bytes=1000000-`."),
    header("If-Range", "The `ETag` of the part that you have."),
    header(
      "X-Soundferry-Follows",
      "`redirect` from an importer that can be sent to where the relay keeps its sounds.",
      { type: "string", enum: [FOLLOWS_REDIRECT] },
    ),
  ],
  answers: {
    200: {
      description: "The whole file.",
      contentType: "audio/wav",
      headers: ["ETag", "AcceptRanges"],
    },
    206: {
      description: "The requested range.",
      contentType: "audio/wav",
      headers: ["ETag", "AcceptRanges", "ContentRange"],
    },
    307: {
      description:
        "Only with `X-Soundferry-Follows`, where the operator allows it: the bytes are elsewhere.",
      headers: ["Location"],
    },
  },
  refusals: [
    "PACKAGE_UNKNOWN",
    "FILE_UNKNOWN",
    "PACKAGE_NOT_COMMITTED",
    "PACKAGE_EXPIRED",
    "SOUND_DENIED",
    "SOUND_LOST",
    "RANGE_WRONG",
  ],
  stores: "reads",
};

export const report: Operation = {
  id: "reportResults",
  tag: "Importer",
  summary: "Report the result of each sound",
  description:
    "Sets the package's state and releases it. A sound that is left out counts as failed. The same report again is fine; a newer one " +
    `replaces it. A text is cut at ${MAX_RESULT_UNITS} characters; of notes and differences the first ${MAX_RESULT_ENTRIES} count. Results of more than ${RESULTS_SIZE} are shortened, and a note says so.`,
  body: {
    kind: "json",
    schema: REPORT_REQUEST,
    isRequired: true,
    example: { results: sample.RESULTS },
  },
  answers: {
    200: {
      description: "The package's state.",
      schema: REPORT_ANSWER,
      example: { status: "imported" },
    },
  },
  refusals: ["PACKAGE_UNKNOWN", "RESULTS_WRONG", "SOUND_UNKNOWN", "PACKAGE_NOT_COMMITTED"],
  stores: "writes",
};

/** Upgrades to a WebSocket. Not part of the list of routes. */
export const socket: Operation = {
  id: "openSocket",
  tag: "Importer",
  summary: "Get notified of changes",
  description:
    'Becomes a WebSocket that is a notifier: `{"type":"packages.changed"}`, `{"type":"apps.changed"}`, ' +
    '`{"type":"code.used","app_name":…}`. What changed is read over HTTP. ' +
    `The relay pings every ${PING_SECONDS} s. ` +
    "The relay's own page sends its token as a subprotocol: `soundferry, bearer.<token>`. " +
    "It closes with 4401 once the token is revoked. A call without an upgrade is 404.",
  answers: {
    101: { description: "The connection is a WebSocket now.", messages: SOCKET_MESSAGE },
  },
  refusals: ["PATH_UNKNOWN"],
  stores: "reads",
};
