import { createHash } from "node:crypto";
import type { ClientSettings } from "../wire/client-settings.ts";
import { streamingUpload } from "./streaming-upload.ts";

/** Settings for Node: uploads with progress, and Node's own SHA-256. Spread it into a client's settings. */
export const IN_NODE = {
  upload: streamingUpload((...request) => fetch(...request)),
  sha256: () => createHash("sha256"),
} satisfies Partial<ClientSettings>;
