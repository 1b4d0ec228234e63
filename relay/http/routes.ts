import * as apps from "./app-calls.ts";
import type { Route } from "./call.ts";
import * as importers from "./importer-calls.ts";
import * as open from "./open-calls.ts";

/** The whole API. `open` needs no token, `app` an app's, `importer` an importer's. */
export const ROUTES: readonly Route[] = [
  { door: "open", method: "POST", path: "/pair/claim", handle: open.claim },
  { door: "app", method: "GET", path: "/app/me", handle: apps.me },
  { door: "app", method: "POST", path: "/app/unpair", handle: apps.unpair },

  { door: "app", method: "POST", path: "/packages", handle: apps.announce },
  { door: "app", method: "PUT", path: "/packages/:id/files/:file", handle: apps.upload },
  { door: "app", method: "POST", path: "/packages/:id/commit", handle: apps.commit },
  { door: "app", method: "GET", path: "/packages/:id/status", handle: apps.status },
  { door: "app", method: "DELETE", path: "/packages/:id", handle: apps.takeBackPackage },

  { door: "open", method: "GET", path: "/importer/hello", handle: open.hello },
  { door: "open", method: "POST", path: "/importer/register", handle: open.register },
  { door: "importer", method: "PATCH", path: "/importer/me", handle: importers.rename },
  { door: "importer", method: "DELETE", path: "/importer/me", handle: importers.remove },
  { door: "importer", method: "POST", path: "/importer/pairing-code", handle: importers.giveCode },
  { door: "importer", method: "GET", path: "/importer/apps", handle: importers.apps },
  {
    door: "importer",
    method: "DELETE",
    path: "/importer/apps/:pairing_id",
    handle: importers.unpair,
  },
  { door: "importer", method: "GET", path: "/importer/packages", handle: importers.packages },
  { door: "importer", method: "POST", path: "/importer/packages/:id/take", handle: importers.take },
  {
    door: "importer",
    method: "GET",
    path: "/importer/packages/:id/files/:file",
    handle: importers.download,
  },
  {
    door: "importer",
    method: "POST",
    path: "/importer/packages/:id/results",
    handle: importers.report,
  },

  { door: "open", method: "GET", path: "/manifest.schema.json", handle: open.manifestSchema },
  { door: "open", method: "GET", path: "/healthz", handle: open.healthz },
  { door: "open", method: "GET", path: "/readyz", handle: open.readyz },
];
