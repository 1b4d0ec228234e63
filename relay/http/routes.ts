import type { HttpMethod, Route } from "./call.ts";
import * as apps from "./calls/app-calls.ts";
import { contractCalls } from "./calls/contract-calls.ts";
import * as importers from "./calls/importer-calls.ts";
import * as list from "./calls/importer-list.ts";
import * as open from "./calls/open-calls.ts";
import * as uploads from "./calls/upload-calls.ts";
import * as ofApps from "./contract/openapi/app-operations.ts";
import * as ofImporters from "./contract/openapi/importer-operations.ts";
import type { Operation } from "./contract/openapi/operation.ts";
import * as ofPairing from "./contract/openapi/pairing-operations.ts";
import * as ofRelay from "./contract/openapi/relay-operations.ts";
import * as ofUploads from "./contract/openapi/upload-operations.ts";
import type { Work } from "./draining.ts";

const contract = contractCalls(() => ROUTES);

/**
 * The whole API: the caller, the path, the handler, the contract, and the call's meaning to a relay that stops. It
 * refuses what is `new` or `begins` a package, and waits for what `carries` sounds until a call `ends` that.
 */
export const ROUTES: readonly Route[] = [
  anyone("POST", "/pair/claim", open.claim, ofApps.claim, "new"),
  app("GET", "/app/me", apps.me, ofApps.me),
  app("POST", "/app/unpair", apps.unpair, ofApps.unpair),

  app("GET", "/packages", apps.list, ofApps.list),
  app("POST", "/packages", apps.announce, ofApps.announce, "begins"),
  app("PUT", "/packages/:id/files/:file", uploads.upload, ofUploads.upload, "carries"),
  app("HEAD", "/packages/:id/files/:file", uploads.readOffset, ofUploads.readOffset, "carries"),
  app("PATCH", "/packages/:id/files/:file", uploads.append, ofUploads.append, "carries"),
  app("POST", "/packages/:id/commit", apps.commit, ofApps.commit, "ends"),
  app("GET", "/packages/:id/status", apps.status, ofApps.status),
  app("DELETE", "/packages/:id", apps.withdrawPackage, ofApps.withdrawPackage, "ends"),

  anyone("GET", "/importer/hello", open.hello, ofImporters.hello),
  anyone("POST", "/importer/register", open.register, ofImporters.register, "new"),
  importer("GET", "/importer/me", importers.me, ofImporters.me),
  importer("PATCH", "/importer/me", importers.rename, ofImporters.rename),
  importer("DELETE", "/importer/me", importers.remove, ofImporters.remove),
  importer("POST", "/importer/pairing-code", importers.issueCode, ofPairing.issueCode),
  importer("DELETE", "/importer/pairing-code", importers.endCode, ofPairing.endCode),
  importer("GET", "/importer/pairing-request", importers.pairingRequest, ofPairing.pairingRequest),
  importer("POST", "/importer/pairing-request", importers.answerPairing, ofPairing.answerPairing),
  importer("GET", "/importer/apps", importers.apps, ofImporters.apps),
  importer("DELETE", "/importer/apps/:pairing_id", importers.unpair, ofImporters.unpair),

  importer("GET", "/importer/packages", list.packages, ofImporters.packages),
  importer("GET", "/importer/packages/:id", importers.readPackage, ofImporters.readPackage),
  importer("POST", "/importer/packages/:id/take", importers.take, ofImporters.take, "carries"),
  importer(
    "GET",
    "/importer/packages/:id/files/:file",
    importers.download,
    ofImporters.download,
    "carries",
  ),
  importer("POST", "/importer/packages/:id/results", importers.report, ofImporters.report, "ends"),

  anyone("GET", "/manifest.schema.json", open.manifestSchema, ofRelay.manifestSchema),
  anyone("GET", "/openapi.json", contract.openapi, ofRelay.openapi),
  anyone("GET", "/docs", contract.docs, ofRelay.docs),
  anyone("GET", "/llms.txt", contract.llms, ofRelay.llms),
  anyone("GET", "/healthz", open.healthz, ofRelay.healthz),
  anyone("GET", "/readyz", open.readyz, ofRelay.readyz),
];

type Handler<Auth extends Route["auth"]> = Extract<Route, { readonly auth: Auth }>["handle"];

/** A call that needs no token. */
function anyone(
  method: HttpMethod,
  path: string,
  handle: Handler<"open">,
  operation: Operation,
  work?: Work,
): Route {
  return { auth: "open", method, path, handle, operation, work };
}

/** A call that needs an app token. */
function app(
  method: HttpMethod,
  path: string,
  handle: Handler<"app">,
  operation: Operation,
  work?: Work,
): Route {
  return { auth: "app", method, path, handle, operation, work };
}

/** A call that needs an importer token. */
function importer(
  method: HttpMethod,
  path: string,
  handle: Handler<"importer">,
  operation: Operation,
  work?: Work,
): Route {
  return { auth: "importer", method, path, handle, operation, work };
}
