import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RelayPages } from "../../relay/http/pages.ts";

// What people open in a browser. In a checkout it is built from the sources when it is first asked for; where Soundferry
// is installed it lies beside the program.

/** The importer's panel, as one HTML text. */
export const panelPage = servedText("panel.html", "build-panel.ts", "buildPanelPage");

/** The page of `soundferry preview`, as one HTML text. */
export const previewPage = servedText("preview.html", "build-preview.ts", "buildPreviewPage");

/** The relay's page, and the client for pages elsewhere. */
export const relayPages: RelayPages = {
  home: servedText("page.html", "build-page.ts", "buildRelayPage"),
  clientScript: servedText("client.js", "build-client.ts", "buildClientScript"),
};

/** @param script in `scripts/`; not part of what is published, so no import may name it outright */
function servedText(fileName: string, script: string, build: string): () => Promise<string> {
  if (!import.meta.filename.endsWith(".ts")) {
    return () => readFile(join(import.meta.dirname, "..", "..", fileName), "utf8");
  }
  return async () => {
    const { href } = new URL(`../../scripts/${script}`, import.meta.url);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the checkout's own script
    const builder = (await import(href)) as Readonly<Record<string, () => Promise<string>>>;
    const buildText = builder[build];
    if (buildText === undefined) throw new Error(`scripts/${script} has no ${build}.`);
    return buildText();
  };
}
