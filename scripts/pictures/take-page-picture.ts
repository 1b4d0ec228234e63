import type { Browser, Page } from "playwright-core";
import { RELAY_MARK } from "../../core/protocol/relay-mark.ts";
import { buildRelayPage } from "../build-pages.ts";
import { PAGE_SCENES, type PageScene, RELAY_URL } from "./page-scenes.ts";

/** Takes a picture of the relay's page in a scene, with a relay that gives canned answers. */
export async function takePagePicture(browser: Browser, name: string, path: string): Promise<void> {
  const scene = PAGE_SCENES.find((each) => each.name === name);
  if (scene === undefined) throw new Error(`There is no scene ${name}.`);
  // The page's CSP blocks the code that waits for rendering.
  const context = await browser.newContext({
    viewport: { width: 1280, height: 720 },
    colorScheme: "light",
    bypassCSP: true,
  });
  const page = await context.newPage();
  await showPageScene(page, scene);
  await page.screenshot({ path, animations: "disabled", fullPage: true });
  await context.close();
}

/** Brings a blank browser page to a state of the relay's page. */
export async function showPageScene(page: Page, scene: PageScene): Promise<void> {
  await answerAs(page, scene);
  const stored = Object.entries(scene.stored).map(([key, value]) => [key, JSON.stringify(value)]);
  await page.addInitScript(
    `for (const [key, value] of ${JSON.stringify(stored)}) localStorage.setItem(key, value);`,
  );
  await page.goto(`${RELAY_URL}/`);
  await page.getByRole("heading", { name: "Soundferry" }).waitFor();
  await scene.act(page);
}

async function answerAs(page: Page, { answers }: PageScene): Promise<void> {
  const html = await buildRelayPage();
  await page.route(`${RELAY_URL}/**`, (route, request) => {
    const { pathname } = new URL(request.url());
    if (pathname === "/") return route.fulfill({ contentType: "text/html", body: html });
    const isRepeated = request.url().includes("known=");
    // A long poll without a change.
    if (isRepeated) return undefined;
    const answer = answers[`${request.method()} ${pathname}`];
    return answer === undefined
      ? route.abort()
      : route.fulfill({
          status: answer.status,
          headers: { [RELAY_MARK.name]: RELAY_MARK.value },
          json: answer.body,
        });
  });
}
