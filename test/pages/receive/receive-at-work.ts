import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { buildReceivePage } from "../../../scripts/build-pages.ts";
import { buildReceiveWorker } from "../../../scripts/build-receive-worker.ts";
import { RunningRelay } from "../../relay/running-relay.ts";
import type { useBrowser } from "../panel/panel-browser.ts";
import { FIXTURES, PAGES } from "../send/page-at-work.ts";

/** A relay that serves the page, until the test is over. */
export async function relayWithReceive(
  settings: Record<string, string> = {},
): Promise<RunningRelay> {
  const receive = { page: buildReceivePage, worker: buildReceiveWorker };
  const relay = await RunningRelay.start(settings, { pages: { ...PAGES, receive } });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  return relay;
}

/** A browser that receives, with a paired app. */
export interface Receiving {
  readonly relay: RunningRelay;
  readonly page: Page;
  /** The app's token. */
  readonly token: string;
}

/** Opens the page, becomes a computer, and pairs an app. @param before runs in the page before its own script */
export async function receivingPage(
  { open }: ReturnType<typeof useBrowser>,
  before?: string,
): Promise<Receiving> {
  const relay = await relayWithReceive();
  const page = await open(`${relay.url}/receive`, before === undefined ? {} : { before });
  await page.setViewportSize({ width: 1100, height: 720 });
  await page.getByRole("button", { name: "Receive", exact: true }).click();
  const token = await pairFrom(page, relay);
  return { relay, page, token };
}

/** Pairs an app with the code on the screen. Returns the app's token. */
export async function pairFrom(page: Page, relay: RunningRelay): Promise<string> {
  const code = (await page.locator(".code").innerText()).replaceAll(/\s/g, "");
  const token = await relay.claim(code);
  await page.getByText("Paired with Looper", { exact: true }).waitFor();
  return token;
}

/** Sends a fixture as an app does. Returns the package's id. */
export async function sendFixture(
  { relay, token }: Pick<Receiving, "relay" | "token">,
  name: string,
): Promise<string> {
  const folder = join(FIXTURES, name);
  const manifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as object;
  const { package_id: packageId, upload } = await relay.announce(token, manifest);
  for (const [file, path] of Object.entries(upload)) {
    await relay.call("PUT", path, { token, body: await readFile(join(folder, file)) });
  }
  const commit = await relay.call("POST", `/packages/${packageId}/commit`, { token });
  expect(commit.status).toBe(200);
  return packageId;
}

/** The bar of the package that is shown. */
export const packageBar = (page: Page) => page.locator(".package-bar");
