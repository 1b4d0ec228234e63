import { cp } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { servePreview } from "../../../cli/preview/serve-preview.ts";
import { buildPreviewPage } from "../../../scripts/build-pages.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";

const FIXTURES = join(import.meta.dirname, "../../..", "fixtures", "packages");

/** A folder with copies of these fixtures, in this order, that a test may edit. */
export async function libraryOf(fixtures: readonly string[]): Promise<string> {
  const folder = await temporaryFolder();
  await Promise.all(
    fixtures.map((name) => cp(join(FIXTURES, name), join(folder, name), { recursive: true })),
  );
  return folder;
}

/** The real page, served as the command serves it, until the test is over. */
export async function servedPreview(
  library: string,
  fixtures: readonly string[],
  { isWatching = false } = {},
) {
  const preview = await servePreview({
    folders: fixtures.length === 0 ? [library] : fixtures.map((name) => join(library, name)),
    isWatching,
    port: 0,
    page: () => buildPreviewPage(),
    startFolder: library,
  });
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    await preview[Symbol.asyncDispose]();
  };
  onTestFinished(close);
  return Object.assign(preview, { close });
}
