import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import {
  IMPORTER_APIS,
  IMPORTER_HEADER,
  REGISTRATION_KEY_HEADER,
} from "../../../core/protocol/importer-api.ts";
import { PREVIEW_CALLS } from "../../../core/protocol/preview-api.ts";
import { WHERE_TO_IMPORT } from "../../../core/protocol/public-api.ts";
import * as app from "../../../core/protocol/schemas/app-schemas.ts";
import * as common from "../../../core/protocol/schemas/common-schemas.ts";
import * as importer from "../../../core/protocol/schemas/importer-schemas.ts";
import { LENIENT_MANIFEST } from "../../../core/manifest/schema.ts";
import type { Schema } from "../../../core/protocol/schemas/schema.ts";
import { isClaimRequest } from "../../../core/protocol/schemas/validate.generated.js";

const AJV = new Ajv2020({ allowUnionTypes: true, validateFormats: false });

/** The first fault that ajv finds; the relay's compiled validators come from the same schemas. */
function faultOf(schema: Schema, value: unknown) {
  AJV.validate(schema, value);
  const [first] = AJV.errors ?? [];
  return first && { pointer: first.instancePath, keyword: first.keyword };
}

const TIME = "2026-01-31T12:00:00.000Z";
const UNTIL = { expires_at: TIME, expires_in: 0 };
const DIFFERENCE = { setting: "tempo_bpm", asked: 126, got: null };
const WARNING = { code: "TEXT_CUT", message: "title is too long; it was cut to 60 characters." };
const RESULT = {
  status: "imported",
  track: "Kick (App)",
  file: "Kick.wav",
  notes: ["A note."],
  differences: [DIFFERENCE],
  error: "None.",
};

interface Body {
  readonly name: string;
  readonly schema: Schema;
  readonly full: object;
  readonly optional: readonly string[];
}

/** Bodies with every member that they can have, and which of those may be missing. */
const BODIES: readonly Body[] = (
  [
    ["a claim", app.CLAIM_REQUEST, { code: "K7M Q2X", app_name: "Looper", app_id: "x" }],
    ["a claim's answer", app.CLAIM_ANSWER, { app_token: "sfa_aZ-9_", device_name: "Studio" }],
    [
      "an app's account",
      app.ME_ANSWER,
      {
        device_name: "Studio",
        app_name: "Looper",
        paired_at: TIME,
        room: { bytes_left: 600, waiting_left: 2, package_bytes_max: 600 },
      },
    ],
    [
      "an announcement's answer",
      app.ANNOUNCE_ANSWER,
      {
        package_id: `pkg_${"aZ-9_".repeat(4)}xy`,
        upload: { "a.wav": "/x" },
        warnings: [WARNING],
        ...UNTIL,
      },
    ],
    [
      "an upload's answer",
      app.UPLOAD_ANSWER,
      { file: "a.wav", bytes: 1, sha256: "0af9".repeat(16) },
    ],
    [
      "a status",
      app.STATUS_ANSWER,
      {
        package_id: "p",
        title: "Night",
        status: "waiting",
        created_at: TIME,
        ...UNTIL,
        files: { "a.wav": "missing", "b.wav": "uploaded" },
        results: { 1: RESULT },
      },
      ["results"],
    ],
    ["a difference", common.DIFFERENCE, DIFFERENCE],
    ["a result", common.SOUND_RESULT, RESULT, ["track", "file", "notes", "differences", "error"]],
    ["a warning", common.WARNING, { ...WARNING, sound: "1", field: "title" }, ["sound", "field"]],
    [
      "an error",
      common.ERROR_ANSWER,
      {
        error: "Try again.",
        code: "NOT_READY",
        missing: ["a.wav"],
        expires_in: 1,
        importer_api: [1],
      },
      ["missing", "expires_in", "importer_api"],
    ],
    [
      "a greeting",
      importer.HELLO_ANSWER,
      { service: "soundferry", version: "1", importer_api: [1], now: TIME },
    ],
    [
      "an importer",
      importer.IMPORTER_ME_ANSWER,
      { device_name: "Studio", network: "203.0.113.0/24" },
    ],
    ["a name", importer.DEVICE_NAME_REQUEST, { device_name: "Studio" }, ["device_name"]],
    ["a name's answer", importer.DEVICE_NAME_ANSWER, { device_name: "Studio" }],
    [
      "a registration's answer",
      importer.REGISTER_ANSWER,
      { device_id: "d", importer_token: "sfi_aZ-9_" },
    ],
    ["a pairing code", importer.PAIRING_CODE_ANSWER, { code: "K7MQ2X", ...UNTIL }],
    [
      "a paired app",
      importer.PAIRED_APP,
      {
        pairing_id: "p",
        app_name: "Looper",
        paired_at: TIME,
        last_seen_at: TIME,
        waiting_packages: 1,
      },
    ],
    ["the paired apps", importer.APPS_ANSWER, { apps: [] }],
    ["a take", importer.TAKE_REQUEST, { run_id: "r", force: "any" }, ["run_id", "force"]],
    ["a take's answer", importer.TAKE_ANSWER, UNTIL],
    ["a report", importer.REPORT_REQUEST, { results: { 1: RESULT } }],
    ["a report's answer", importer.REPORT_ANSWER, { status: "partial" }],
  ] as const
).map(([name, schema, full, ...optional]) => ({ name, schema, full, optional: optional.flat() }));

describe("[O3] the members of a body", () => {
  test.each(BODIES)("are complete: $name", ({ schema, full }) => {
    expect(faultOf(schema, full)).toBeUndefined();
  });

  test.each(BODIES)(
    "may be missing only where they are optional: $name",
    ({ schema, full, optional }) => {
      for (const name of Object.keys(full)) {
        const less = Object.fromEntries(Object.entries(full).filter(([other]) => other !== name));
        const fault = optional.includes(name) ? undefined : { pointer: "", keyword: "required" };
        expect(faultOf(schema, less), name).toEqual(fault);
      }
    },
  );

  test.each(BODIES)("are refused with the wrong type: $name", ({ schema, full }) => {
    for (const name of Object.keys(full).filter((one) => one !== "force")) {
      const fault = faultOf(schema, { ...full, [name]: () => {} });
      expect(fault, name).toEqual({ pointer: `/${name}`, keyword: "type" });
    }
  });
});

test.each<[Schema, string, readonly unknown[], readonly unknown[]]>([
  [common.TIME, "pattern", [TIME], ["2026-01-31T12:00:00Z", `${TIME}x`, `x${TIME}`, "2026-1-31"]],
  [common.SECONDS, "minimum", [0, 86_400], [-1]],
  [
    common.SHA256,
    "pattern",
    ["0af9".repeat(16)],
    ["0AF9".repeat(16), "0".repeat(63), "0".repeat(65)],
  ],
  [common.WARNING.properties.code, "pattern", ["A", "A1_B"], ["", "1A", "a", "A-B", "A b"]],
  [common.WARNING.properties.message, "maxLength", ["x".repeat(200)], ["x".repeat(201)]],
  [common.ERROR_ANSWER.properties.error, "maxLength", ["x".repeat(80)], ["x".repeat(81)]],
  [common.ERROR_ANSWER.properties.error, "minLength", ["x"], [""]],
  [common.ERROR_ANSWER.properties.code, "pattern", ["NOT_JSON"], ["not_json", "", "A-"]],
  [app.CLAIM_REQUEST.properties.app_id, "maxLength", ["𝄞".repeat(200)], ["x".repeat(201)]],
  [app.CLAIM_REQUEST.properties.code, "minLength", ["x"], [""]],
  [
    app.CLAIM_ANSWER.properties.app_token,
    "pattern",
    ["sfa_x"],
    ["sfi_x", "sfa_", "sfa_ä", "xsfa_x"],
  ],
  [
    importer.REGISTER_ANSWER.properties.importer_token,
    "pattern",
    ["sfi_x"],
    ["sfa_x", "sfi_", "sfi_x "],
  ],
  [
    importer.PAIRING_CODE_ANSWER.properties.code,
    "pattern",
    ["K7MQ2X"],
    ["K7MQ20", "K7MQ2", "K7MQ2XX"],
  ],
  [importer.HELLO_ANSWER.properties.service, "const", ["soundferry"], ["another"]],
  [app.UPLOAD_ANSWER.properties.bytes, "minimum", [1], [0]],
  [
    app.ANNOUNCE_ANSWER.properties.warnings,
    "maxItems",
    [Array.from({ length: 100 }, () => WARNING)],
    [Array.from({ length: 101 }, () => WARNING)],
  ],
  [importer.TAKE_REQUEST.properties.run_id, "maxLength", ["x".repeat(100)], ["x".repeat(101)]],
])("[O3] a value is judged by its limit: %#", (schema, keyword, good, bad) => {
  for (const value of good) expect(faultOf(schema, value)).toBeUndefined();
  for (const value of bad) expect(faultOf(schema, value)).toMatchObject({ keyword });
});

test("[O3] the socket has three message types", () => {
  for (const type of ["packages.changed", "apps.changed"]) {
    expect(faultOf(importer.SOCKET_MESSAGE, { type })).toBeUndefined();
  }
  expect(
    faultOf(importer.SOCKET_MESSAGE, { type: "code.used", app_name: "Looper" }),
  ).toBeUndefined();
  for (const message of [
    { type: "code.used" },
    { type: "code.used", app_name: 1 },
    { type: "x" },
    {},
  ]) {
    expect(faultOf(importer.SOCKET_MESSAGE, message)).toBeDefined();
  }
});

test("[O3] statuses of results and files are fixed words", () => {
  for (const status of ["imported", "skipped", "failed"]) {
    expect(faultOf(common.SOUND_RESULT, { status })).toBeUndefined();
  }
  expect(faultOf(common.SOUND_RESULT, { status: "gone" })?.keyword).toBe("enum");
  const files = app.STATUS_ANSWER.properties.files;
  expect(faultOf(files, { "a/b.wav": "sent" })).toEqual({ pointer: "/a~1b.wav", keyword: "enum" });
});

test("[O1] a description is a sentence", () => {
  const said: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inside] of Object.entries(value)) {
      if (name === "description") said.push(String(inside));
      else collect(inside);
    }
  };
  collect([app, common, importer, LENIENT_MANIFEST["description"]]);
  said.push(String(LENIENT_MANIFEST["description"]));
  expect(said.length).toBeGreaterThan(40);
  expect(said.filter((text) => !/^[`A-Z].{5,}\.$/s.test(text))).toEqual([]);
});

test("the wire names are stable", () => {
  expect([IMPORTER_APIS, IMPORTER_HEADER, REGISTRATION_KEY_HEADER]).toEqual([
    [1, 2],
    "x-soundferry-importer",
    "x-soundferry-registration-key",
  ]);
  expect(PREVIEW_CALLS).toEqual({
    state: "/preview/state",
    sound: "/preview/scenes/:key/sounds/:sound_id",
    accept: "/preview/scenes/:key/accept",
    hear: "/preview/scenes/:key/hear",
    manifest: "/preview/scenes/:key/manifest",
    diff: "/preview/scenes/:key/diff",
    diffs: "/preview/diff",
  });
  expect(WHERE_TO_IMPORT).toBe(
    "Click Import in Soundferry, or in Live: right-click a scene → Extensions → Soundferry: Import…",
  );
});

const claim = (appId: string, more: object = {}) =>
  isClaimRequest({ code: "K7MQ2X", app_name: "Limp", app_id: appId, ...more });

test("[O3] lengths count code points, not UTF-16 units", () => {
  expect(claim("🎹".repeat(200))).toBe(true);
  expect(claim("🎹".repeat(201))).toBe(false);
});

test("[O3] a validator names the first fault in the schema's order", () => {
  claim("x".repeat(201));
  expect(isClaimRequest.errors).toMatchObject([{ instancePath: "/app_id", keyword: "maxLength" }]);
  claim("x".repeat(201), { code: "" });
  expect(isClaimRequest.errors).toMatchObject([{ instancePath: "/code", keyword: "minLength" }]);
});

test("[O3] a validator accepts unknown members, including __proto__", () => {
  const more: object = JSON.parse('{ "mood": "dark", "__proto__": { "code": 3 } }');
  expect(claim("limp-1", more)).toBe(true);
  const members = '{ "code": "K7MQ2X", "app_name": "Limp", "app_id": "limp-1" }';
  expect(isClaimRequest(JSON.parse(`{ "__proto__": ${members} }`))).toBe(false);
});
