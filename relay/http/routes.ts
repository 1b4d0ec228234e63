import * as apps from "./calls/app-calls.ts";
import type { HttpMethod, Route } from "./call.ts";
import type { Work } from "./draining.ts";
import { serveDocs, serveDocument, serveLlmsText, servePlainDocs } from "./calls/contract-calls.ts";
import * as importers from "./calls/importer-calls.ts";
import * as list from "./calls/importer-list.ts";
import * as open from "./calls/open-calls.ts";
import * as ofApps from "./contract/openapi/app-operations.ts";
import * as ofImporters from "./contract/openapi/importer-operations.ts";
import type { Operation } from "./contract/openapi/operation.ts";
import * as ofPairing from "./contract/openapi/pairing-operations.ts";
import * as ofRelay from "./contract/openapi/relay-operations.ts";

type Handler<Auth extends Route["auth"]> = Extract<Route, { readonly auth: Auth }>["handle"];

/** A call that needs no token. */
const anyone = (
  method: HttpMethod,
  path: string,
  handle: Handler<"open">,
  operation: Operation,
  work?: Work,
): Route => ({ auth: "open", method, path, handle, operation, work });

/** A call that needs an app token. */
const app = (
  method: HttpMethod,
  path: string,
  handle: Handler<"app">,
  operation: Operation,
  work?: Work,
): Route => ({ auth: "app", method, path, handle, operation, work });

/** A call that needs an importer token. */
const importer = (
  method: HttpMethod,
  path: string,
  handle: Handler<"importer">,
  operation: Operation,
  work?: Work,
): Route => ({ auth: "importer", method, path: `/importer${path}`, handle, operation, work });

/** The whole API: who may call, the path, the handler, the contract, and what it means to a relay that stops. */
export const ROUTES: readonly Route[] = [
  anyone("POST", "/pair/claim", open.claim, ofApps.claim, "new"),
  app("GET", "/app/me", apps.me, ofApps.me),
  app("POST", "/app/unpair", apps.unpair, ofApps.unpair),

  app("GET", "/packages", apps.list, ofApps.list),
  app("POST", "/packages", apps.announce, ofApps.announce, "begins"),
  app("PUT", "/packages/:id/files/:file", apps.upload, ofApps.upload, "carries"),
  app("POST", "/packages/:id/commit", apps.commit, ofApps.commit, "ends"),
  app("GET", "/packages/:id/status", apps.status, ofApps.status),
  app("DELETE", "/packages/:id", apps.withdrawPackage, ofApps.withdrawPackage, "ends"),

  anyone("GET", "/importer/hello", open.hello, ofImporters.hello),
  anyone("POST", "/importer/register", open.register, ofImporters.register, "new"),
  importer("GET", "/me", importers.me, ofImporters.me),
  importer("PATCH", "/me", importers.rename, ofImporters.rename),
  importer("DELETE", "/me", importers.remove, ofImporters.remove),
  importer("POST", "/pairing-code", importers.issueCode, ofPairing.issueCode),
  importer("DELETE", "/pairing-code", importers.endCode, ofPairing.endCode),
  importer("GET", "/pairing-request", importers.pairingRequest, ofPairing.pairingRequest),
  importer("POST", "/pairing-request", importers.answerPairing, ofPairing.answerPairing),
  importer("GET", "/apps", importers.apps, ofImporters.apps),
  importer("DELETE", "/apps/:pairing_id", importers.unpair, ofImporters.unpair),
  importer("GET", "/packages", list.packages, ofImporters.packages),
  importer("GET", "/packages/:id", importers.readPackage, ofImporters.readPackage),
  importer("POST", "/packages/:id/take", importers.take, ofImporters.take, "carries"),
  importer("GET", "/packages/:id/files/:file", importers.download, ofImporters.download, "carries"),
  importer("POST", "/packages/:id/results", importers.report, ofImporters.report, "ends"),

  anyone("GET", "/manifest.schema.json", open.manifestSchema, ofRelay.manifestSchema),
  anyone(
    "GET",
    "/openapi.json",
    serveDocument(() => ROUTES),
    ofRelay.openapi,
  ),
  anyone(
    "GET",
    "/docs",
    serveDocs(() => ROUTES),
    ofRelay.docs,
  ),
  anyone(
    "GET",
    "/docs/plain",
    servePlainDocs(() => ROUTES),
    ofRelay.plainDocs,
  ),
  anyone(
    "GET",
    "/llms.txt",
    serveLlmsText(() => ROUTES),
    ofRelay.llms,
  ),
  anyone("GET", "/healthz", open.healthz, ofRelay.healthz),
  anyone("GET", "/readyz", open.readyz, ofRelay.readyz),
];
