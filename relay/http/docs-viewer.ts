import type { FastifyInstance } from "fastify";
import { refusal } from "../../core/protocol/refusal.ts";
import { START_SCRIPT } from "./contract/docs-viewer/viewer-page.ts";
import { VIEWER_STYLE } from "./contract/docs-viewer/viewer-style.ts";
import { addReadOnly, onceMade, prepareText, sendText } from "./served-text.ts";

/** The viewer's own files, by name: `viewer.js`, `viewer.css`, `licences.txt`. */
export type ViewerFiles = ReadonlyMap<string, string>;

const OWN_FILES = new Map([
  ["start.js", START_SCRIPT],
  ["page.css", VIEWER_STYLE],
]);
const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript",
  css: "text/css",
  txt: "text/plain",
};

/** Serves what the page `/docs` loads (rule O7). */
export function addDocsViewer(app: FastifyInstance, load: () => Promise<ViewerFiles>): void {
  const files = onceMade(load);
  for (const name of ["viewer.js", "viewer.css", "licences.txt", ...OWN_FILES.keys()]) {
    const [, ending = ""] = name.split(".");
    const prepared = onceMade(async () => {
      const text = OWN_FILES.get(name) ?? (await files()).get(name);
      if (text === undefined) throw refusal("PATH_UNKNOWN");
      return prepareText(text, { "content-type": `${TYPES[ending]}; charset=utf-8` });
    });
    addReadOnly(app, `/docs/${name}`, async (request, reply) =>
      sendText(request, reply, await prepared()),
    );
  }
}
