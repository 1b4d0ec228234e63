import { servePage } from "../../serve-page.ts";
import type { Importer } from "../../../addon/importer.ts";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { PreviewFaults } from "../../../addon/hosts/preview/preview-faults.ts";
import { startImporter } from "../../../addon/control/open-importer.ts";
import { contentPolicyFor } from "../../../core/protocol/content-policy.ts";
import { buildClientFiles } from "../../../scripts/build-client.ts";
import { buildRelayPage } from "../../../scripts/build-pages.ts";
import { buildWebApp } from "../../../scripts/build-web-app.ts";
import { importerOptions, type WorkOptions } from "../../addon/importer-at-work.ts";
import { Cutter } from "../../sim/cutter.ts";
import type { useBrowser } from "../panel/panel-browser.ts";
import { RunningRelay } from "../../relay/running-relay.ts";
import { soon } from "../../sim/soon.ts";

export const FIXTURES = join(import.meta.dirname, "../../..", "fixtures", "packages");

/** The pages that a relay serves, built from the sources. */
export const PAGES = {
  home: buildRelayPage,
  clientFiles: buildClientFiles,
  webApp: buildWebApp,
};

/** A relay with its page, until the test is over. */
export async function relayWithPage(settings: Record<string, string> = {}): Promise<RunningRelay> {
  const relay = await RunningRelay.start(settings, { pages: PAGES });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  return relay;
}

/** A computer with an importer on the preview host, until the test is over. */
export async function computerAt(
  relayUrl: string,
  deviceName = "Studio",
  work: Pick<WorkOptions, "faults"> = {},
) {
  const options = await importerOptions(relayUrl, { settings: { deviceName }, ...work });
  const running = await startImporter(options);
  onTestFinished(() => running.close());
  const { importer } = running;
  return {
    importer,
    code: async (): Promise<string> => (await importer.pairingCode()).code,
  };
}

/** The manifest of the package that came first. */
export async function sentManifest(importer: Importer) {
  const [first] = (await importer.packages()).packages;
  if (first === undefined) throw new Error("Nothing was sent.");
  return first.manifest;
}

/** The page served from another origin, for this relay. */
export async function pageElsewhere(relayUrl: string): Promise<string> {
  const html = (await buildRelayPage()).replace(
    /<meta name="relay" content=""/,
    `<meta name="relay" content="${relayUrl}"`,
  );
  const digest = (text: string) => createHash("sha256").update(text).digest("base64");
  const policy = contentPolicyFor(html, digest, { hasWorkers: true }).replace(
    "connect-src 'self'",
    `connect-src ${relayUrl}`,
  );
  return servePage((_request, response) => {
    response.writeHead(200, { "content-type": "text/html", "content-security-policy": policy });
    response.end(html);
  });
}

/** Types the code and waits until the computer is there. */
export async function pairOnPage(page: Page, code: string, deviceName = "Studio"): Promise<void> {
  await page.getByRole("textbox", { name: "Pairing code" }).fill(code);
  await page.getByRole("button", { name: "Pair", exact: true }).click();
  await page.getByRole("button", { name: `To ${deviceName}`, exact: true }).waitFor();
}

/** The row of a sound, or of a package, by what it begins with. */
export function rowOf(page: Page, name: string) {
  const start = name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return page.getByRole("row", { name: new RegExp(`^${start}(,|$)`) });
}

/** The names in the clip list, in their order. */
export function rowNames(page: Page): Promise<readonly string[]> {
  return page.locator(".clip-row .clip-name").allInnerTexts();
}

/** The selected sounds' fields, in a window that is wide enough for them. */
export function field(page: Page, name: string) {
  return page.locator(".sound-detail").getByLabel(name, { exact: true });
}

/** Sends what is on the page, and waits until it is sent. */
export async function sendOnPage(page: Page, deviceName = "Studio"): Promise<void> {
  await page.getByRole("button", { name: `Send to ${deviceName}` }).click();
  await page.locator(".sent-bar").getByText("Waiting for Import", { exact: true }).waitFor();
}

/** Files of a fixture, as if they were chosen. */
export async function chooseFiles(page: Page, ...paths: readonly string[]): Promise<void> {
  const had = await soundCount(page);
  await page.getByLabel("Sound files").setInputFiles(paths.map((path) => join(FIXTURES, path)));
  // Until then its guessed title changes.
  await soon(() => soundCount(page)).toBe(had + paths.length);
}

/** Counts the sounds of the new package. */
async function soundCount(page: Page): Promise<number> {
  const text = await page.locator('.pick-row[data-key="new"]').textContent();
  return Number(/(\d+) sounds?$/.exec(text ?? "")?.[1] ?? 0);
}

/** Opens pages that are wide enough for the details beside the list. */
export function openerOfWidePages({ open }: Pick<ReturnType<typeof useBrowser>, "open">) {
  return async (url: string): Promise<Page> => {
    const page = await open(url);
    await page.setViewportSize({ width: 1100, height: 720 });
    return page;
  };
}

/** The page, paired with a computer that is called Studio. */
export async function pairedPage(
  open: (url: string) => Promise<Page>,
  settings: Record<string, string> = {},
  faults: PreviewFaults = {},
) {
  const relay = await relayWithPage(settings);
  const { importer, code } = await computerAt(relay.url, "Studio", { faults });
  const page = await open(relay.url);
  await pairOnPage(page, await code());
  return { relay, importer, page };
}

/** Such a page, and a relay behind a connection that can be held and cut. */
export async function pairedPageOverLine(open: (url: string) => Promise<Page>) {
  const relay = await relayWithPage();
  const line = await Cutter.to(relay.url);
  onTestFinished(() => line[Symbol.asyncDispose]());
  const { importer, code } = await computerAt(relay.url);
  const page = await open(`http://127.0.0.1:${line.port}/`);
  await pairOnPage(page, await code());
  return { relay, line, importer, page };
}

/** Answers what is asked before sending: one-shots, where nobody has decided. */
export async function settleQuestions(page: Page): Promise<void> {
  await page.locator(".clip-row").first().waitFor();
  const oneShot = page.locator(".question").getByRole("button", { name: "One-shot" });
  if (await oneShot.isVisible()) await oneShot.click();
  await page.locator(".question").waitFor({ state: "detached" });
}
