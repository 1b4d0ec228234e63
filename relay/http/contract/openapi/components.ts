import { isJsonObject, type JsonObject } from "../../../../core/text/json-object.ts";
import { MANIFEST_SCHEMA } from "../../../../core/manifest/schema.ts";
import * as app from "../../../../core/protocol/schemas/app-schemas.ts";
import * as common from "../../../../core/protocol/schemas/common-schemas.ts";
import * as importer from "../../../../core/protocol/schemas/importer-schemas.ts";
import * as manifest from "../../../../core/manifest/schema.ts";
import type { ContractDocument } from "./document.ts";
import { isOpenToPages } from "../../cors.ts";
import { type DescribedRoute, HEADERS, type HeaderName } from "./operation.ts";

/** The contract's named schemas. */
export const NAMED_SCHEMAS = {
  Manifest: MANIFEST_SCHEMA,
  LenientManifest: manifest.LENIENT_MANIFEST,
  CleanedManifest: manifest.CLEANED_MANIFEST,
  Warning: common.WARNING,
  PackageStatus: common.PACKAGE_STATUS,
  SoundResults: common.SOUND_RESULTS,
  SoundResult: common.SOUND_RESULT,
  Difference: common.DIFFERENCE,
  Error: common.ERROR_ANSWER,
  Problem: common.PROBLEM,
  Nothing: common.NOTHING,
  ClaimRequest: app.CLAIM_REQUEST,
  ClaimAnswer: app.CLAIM_ANSWER,
  MeAnswer: app.ME_ANSWER,
  AnnounceAnswer: app.ANNOUNCE_ANSWER,
  UploadAnswer: app.UPLOAD_ANSWER,
  StatusAnswer: app.STATUS_ANSWER,
  OwnPackage: app.OWN_PACKAGE,
  OwnPackagesAnswer: app.OWN_PACKAGES_ANSWER,
  HelloAnswer: importer.HELLO_ANSWER,
  ImporterMeAnswer: importer.IMPORTER_ME_ANSWER,
  DeviceNameRequest: importer.DEVICE_NAME_REQUEST,
  DeviceNameAnswer: importer.DEVICE_NAME_ANSWER,
  RegisterAnswer: importer.REGISTER_ANSWER,
  PairingCodeAnswer: importer.PAIRING_CODE_ANSWER,
  PairingRequestAnswer: importer.PAIRING_REQUEST_ANSWER,
  PairedApp: importer.PAIRED_APP,
  AppsAnswer: importer.APPS_ANSWER,
  ImportablePackage: importer.IMPORTABLE_PACKAGE,
  PackagesAnswer: importer.PACKAGES_ANSWER,
  TakeRequest: importer.TAKE_REQUEST,
  TakeAnswer: importer.TAKE_ANSWER,
  ReportRequest: importer.REPORT_REQUEST,
  ReportAnswer: importer.REPORT_ANSWER,
} as const satisfies Record<string, object>;

const NAME_OF = new Map<unknown, string>(
  Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [schema, name]),
);

/** Replaces every named schema inside a schema by a reference. */
export function referring(schema: object): JsonObject {
  const name = NAME_OF.get(schema);
  return name === undefined ? inside(schema) : { $ref: `#/components/schemas/${name}` };
}

function inside(schema: object): JsonObject {
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, valueOf(value)]));
}

function valueOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => valueOf(entry));
  return isJsonObject(value) ? referring(value) : value;
}

/** Builds the document's `components`. */
export function components(): ContractDocument["components"] {
  return {
    schemas: Object.fromEntries(
      Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [name, withoutDialect(inside(schema))]),
    ),
    headers: Object.fromEntries(
      Object.entries(HEADERS).map(([name, { description, schema, isOptional }]) => [
        name,
        { description, required: isOptional !== true, schema },
      ]),
    ),
    securitySchemes: {
      appToken: {
        type: "http",
        scheme: "bearer",
        description: "What `POST /pair/claim` gave. Never in a URL or a cookie.",
      },
      importerToken: {
        type: "http",
        scheme: "bearer",
        description: "What `POST /importer/register` gave.",
      },
    },
  };
}

/** The document declares the dialect of its schemas once, for all of them. */
function withoutDialect(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== "$schema"));
}

/** Returns references to response headers. */
export function headersOf(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    names.map((name) => [HEADERS[name].name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** Names the headers that every answer of a route has. */
export function sharedHeaders({ path }: DescribedRoute): HeaderName[] {
  return ["RequestId", "RelayMark", ...(isOpenToPages(path) ? (["AllowOrigin"] as const) : [])];
}
