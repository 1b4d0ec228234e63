import type { JsonObject } from "../../core/text/json-object.ts";

/** What `sendManifest` sends: a manifest and the bytes of each of its files. */
export interface OutgoingPackage {
  /** In the format `app2host/1`, with `bytes` and `sha256` for every sound; the relay validates it. */
  readonly manifest: JsonObject;
  /** By the manifest's `file`. A Blob backed by a file is never read whole. */
  readonly sounds: ReadonlyMap<string, Blob>;
}
