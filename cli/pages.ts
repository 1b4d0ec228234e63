import { PROGRAM_FORM, readOwnFile } from "../program/own-files.ts";
import type { RelayPages } from "../relay/http/pages.ts";

// The pages for browsers. A checkout builds them on first use; elsewhere the program has them.

/** The importer's panel. */
export const panelPage = servedPage("panel.html", "build-pages.ts", "buildPanelPage");

/** The page of `soundferry preview`. */
export const previewPage = servedPage("preview.html", "build-pages.ts", "buildPreviewPage");

/** The style sheet of the page that `soundferry layout --check --html` writes. */
export const reportStyle = servedPage("report.css", "build-pages.ts", "buildReportStyle");

/** The relay's page, and the client for other pages. */
export const relayPages: RelayPages = {
  home: servedPage("page.html", "build-pages.ts", "buildRelayPage"),
  clientFiles: servedFiles("client-files.json", "build-client.ts", "buildClientFiles"),
  webApp: servedFiles("web-app.json", "build-web-app.ts", "buildWebApp"),
  receive: {
    page: servedPage("receive.html", "build-pages.ts", "buildReceivePage"),
    worker: servedPage("receive-worker.js", "build-receive-worker.ts", "buildReceiveWorker"),
  },
};

/** Files by path, kept in one as JSON. */
function servedFiles(
  fileName: string,
  script: string,
  build: string,
): () => Promise<ReadonlyMap<string, string>> {
  if (PROGRAM_FORM === "checkout") return () => builtInCheckout(script, build);
  return async () => {
    const text = new TextDecoder().decode(await readOwnFile(fileName));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the program's own file
    return new Map(JSON.parse(text) as [string, string][]);
  };
}

function servedPage(fileName: string, script: string, build: string): () => Promise<string> {
  if (PROGRAM_FORM !== "checkout") {
    return async () => new TextDecoder().decode(await readOwnFile(fileName));
  }
  return () => builtInCheckout(script, build);
}

/** @param script in `scripts/`; not published, so no import may name it literally */
async function builtInCheckout<Built>(script: string, build: string): Promise<Built> {
  const { href } = new URL(`../scripts/${script}`, import.meta.url);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the checkout's own script
  const builder = (await import(href)) as Readonly<Record<string, () => Promise<Built>>>;
  const make = builder[build];
  if (make === undefined) throw new Error(`scripts/${script} has no ${build}.`);
  return make();
}
