import type { FastifyInstance, FastifyRequest } from "fastify";
import { SHARE_PATH } from "../../core/protocol/share-path.ts";
import { refusal } from "../../core/protocol/refusal.ts";
import { MANIFEST_PATH, type WebAppFiles } from "./app-links.ts";
import { answerEarly } from "./answer-refusal.ts";
import { addReadOnly, onceMade, prepareText, sendText, type ServedText } from "./served-text.ts";

/** Each file with its content type, and its size in the manifest if it is one of its icons. */
const FILES = {
  "app-worker.js": { type: "text/javascript; charset=utf-8" },
  "app-icon.svg": { type: "image/svg+xml", sizes: "any" },
  "app-icon-192.png": { type: "image/png", sizes: "192x192" },
  "app-icon-512.png": { type: "image/png", sizes: "512x512" },
  "app-icon-maskable-512.png": { type: "image/png", sizes: "512x512", purpose: "maskable" },
  "app-icon-apple-180.png": { type: "image/png" },
} as const;
/** A worker has the policy of its own script. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

interface WebAppOptions {
  /** True if apps reach the relay at an https address, whatever it sees itself. */
  readonly isBehindHttps: boolean;
  /** Counts what a call costs that nobody needed (rule L9). */
  readonly charge: (request: FastifyRequest, bytes: number) => void;
}

/** Serves the manifest, the icons and the service worker (rules G21 to G23). */
export function addWebApp(
  app: FastifyInstance,
  load: () => Promise<WebAppFiles>,
  { isBehindHttps, charge }: WebAppOptions,
): void {
  const manifests = [false, true].map((takesShares) =>
    onceMade(() =>
      prepareText(manifestText(takesShares), { "content-type": "application/manifest+json" }),
    ),
  );
  addReadOnly(app, `/${MANIFEST_PATH}`, async (request, reply) => {
    const make = manifests[isBehindHttps || request.protocol === "https" ? 1 : 0];
    if (make === undefined) throw refusal("PATH_UNKNOWN");
    return sendText(request, reply, await make());
  });
  const files = onceMade(load);
  for (const [path, { type }] of Object.entries(FILES)) {
    const file = onceMade(() => prepareFile(files, path, type));
    addReadOnly(app, `/${path}`, async (request, reply) => sendText(request, reply, await file()));
  }
  // A browser without the page's worker, which would have taken what is shared.
  app.post(`/${SHARE_PATH}`, (request, reply) => {
    answerEarly(request, reply, {
      status: 303,
      headers: { location: `./?${SHARE_PATH}=again`, "content-type": "text/plain; charset=utf-8" },
      body: "Soundferry was not ready for this. Open its page and share again.\n",
      charge: (bytes) => charge(request, bytes),
    });
  });
}

async function prepareFile(
  files: () => Promise<WebAppFiles>,
  path: string,
  type: string,
): Promise<ServedText> {
  const content = (await files()).get(path);
  if (content === undefined) throw refusal("PATH_UNKNOWN");
  const isPicture = path.endsWith(".png");
  return prepareText(isPicture ? Buffer.from(content, "base64") : content, {
    "content-type": type,
    ...(path.endsWith(".js") && { "content-security-policy": WORKER_POLICY }),
  });
}

/** Writes the manifest. Its colors are those of the page's bars in light, and its addresses are relative to it. */
function manifestText(takesShares: boolean): string {
  const icons = Object.entries(FILES).flatMap(([src, file]) =>
    "sizes" in file ? [{ src, ...file }] : [],
  );
  const shares = {
    share_target: {
      action: SHARE_PATH,
      method: "POST",
      enctype: "multipart/form-data",
      params: { files: [{ name: "files", accept: ["audio/*", "video/*"] }] },
    },
  };
  return JSON.stringify({
    name: "Soundferry",
    short_name: "Soundferry",
    start_url: ".",
    scope: ".",
    display: "standalone",
    background_color: "#e6e5e2",
    theme_color: "#f7f6f4",
    icons,
    ...(takesShares && shares),
  });
}
