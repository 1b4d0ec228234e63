import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { SentPackage } from "../../../client/send/send-options.ts";
import { type RunningImporter, startImporter } from "../../../addon/control/open-importer.ts";
import { SoundferryClient } from "../../../client/soundferry-client.ts";
import { MemoryTokenStore } from "../../../client/pairing/token-store.ts";
import { readPackage } from "../../cli/read-package.ts";
import { buildPanelPage } from "../../../scripts/build-pages.ts";
import { importerOptions, type WorkOptions } from "../../addon/importer-at-work.ts";
import type { Page } from "playwright-core";
import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { CannedImporter } from "../../../scripts/pictures/canned-importer.ts";
import type { CannedPackage } from "../../../scripts/pictures/canned-package.ts";
import type { useBrowser } from "./panel-browser.ts";

const FIXTURES = join(import.meta.dirname, "../../..", "fixtures", "packages");

/** An importer that runs with its panel, until the test is over. */
export async function importerWithPanel(relayUrl: string | null, work: WorkOptions = {}) {
  const options = await importerOptions(relayUrl, work);
  const running: RunningImporter = await startImporter({ ...options, panelPage: buildPanelPage });
  onTestFinished(() => running.close());
  const { folder, settings } = options;
  return { ...running, folder, settings };
}

/** An app that has received a code. */
export async function pairedApp(relayUrl: string, code: string, appName: string) {
  const client = new SoundferryClient({ relayUrl, tokenStore: new MemoryTokenStore() });
  await client.pair(code, { name: appName, id: `app of ${appName}` });
  return {
    client,
    /** @param fixture name of its folder */
    send: async (fixture: string): Promise<SentPackage> =>
      client.sendManifest(await readPackage(join(FIXTURES, fixture), appName)),
  };
}

/** The pairing code that the panel shows. */
export async function readCode(page: Page): Promise<string> {
  const code = page.getByRole("img", { name: /^Pairing code/ });
  return (await code.innerText()).trim();
}

/** The panel of an importer that shows what the test says, until the test is over. */
export async function openPanel(
  browser: ReturnType<typeof useBrowser>,
  state: PanelState,
  packages: readonly CannedPackage[] = [],
) {
  const importer = await CannedImporter.start(state, packages);
  onTestFinished(() => importer[Symbol.asyncDispose]());
  return { importer, page: await browser.open(importer.panelUrl) };
}
