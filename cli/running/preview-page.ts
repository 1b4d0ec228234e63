import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What builds the page in a checkout. It is not part of what is published, so no import may name it outright. */
const BUILDER = new URL("../../scripts/build-preview.ts", import.meta.url).href;
const BUILT = join(import.meta.dirname, "..", "..", "preview.html");

/** The preview's page as one HTML text: built from the sources in a checkout, else as it was published. */
export async function previewPage(): Promise<string> {
  if (!import.meta.filename.endsWith(".ts")) return readFile(BUILT, "utf8");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the checkout's own script
  const builder = (await import(BUILDER)) as { buildPreviewPage(): Promise<string> };
  return builder.buildPreviewPage();
}
