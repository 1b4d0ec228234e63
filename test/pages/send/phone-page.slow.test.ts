import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { LANGUAGES } from "../../../core/messages/languages.ts";
import { TABLES } from "../../../core/messages/tables.ts";
import { PAGE_SCENES } from "../../../scripts/pictures/page-scenes.ts";
import { showPageScene } from "../../../scripts/pictures/take-page-picture.ts";
import { soon } from "../../sim/soon.ts";
import { smallWav } from "../../wav-bytes.ts";
import { breachesOf } from "../axe-check.ts";
import { describeInBrowser } from "../shared-chromium.ts";
import { computerAt, relayWithPage, rowNames } from "./page-at-work.ts";
import { openOn, phone } from "./phone-relay.ts";
import { chosen } from "./test-sounds.ts";

const LAN = { SOUNDFERRY_ALLOWED_HOSTS: "studio.local" };

/** A relay as a phone in the same network reaches it: over plain http, at a name that isn't this computer's. */
async function relayInNetwork() {
  const relay = await relayWithPage(LAN);
  return { relay, url: relay.url.replace("127.0.0.1", "studio.local") };
}

/** A control that a finger misses, and a page that scrolls sideways, in words. */
const MISSED = `[
  ...[...document.querySelectorAll("button, a[href], input, select, summary")].flatMap((control) => {
    const boxes = [control, control.closest("label")].flatMap((one) => one?.getBoundingClientRect() ?? []);
    const [width, height] = ["width", "height"].map((side) => Math.max(...boxes.map((box) => box[side])));
    const isShown = width > 0 && getComputedStyle(control).visibility === "visible";
    return isShown && Math.min(width, height) < 43.9
      ? [control.outerHTML.slice(0, 120) + " is " + width + " x " + height] : [];
  }),
  ...(document.scrollingElement.scrollWidth > innerWidth ? ["it scrolls sideways"] : []),
]`;

/** Looks at the page as it is shown now, on a phone of each of two sizes. */
async function expectForFingers(page: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [360, 640],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    expect(await page.evaluate(MISSED), `${name}, ${width}`).toEqual([]);
  }
}

async function isInSight(page: Page, selector: string): Promise<boolean> {
  return page.evaluate(`(() => {
    const { top, bottom } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  })()`);
}

describeInBrowser("the page on a phone (needs Chromium)", () => {
  test("[G26] after a link with a code, three taps send over plain http", async () => {
    const { relay, url } = await relayInNetwork();
    const { importer, code } = await computerAt(relay.url);
    const page = await openOn(await phone(), `${url}/#code=${await code()}`);
    expect(await page.evaluate("[isSecureContext, crypto.subtle]")).toEqual([false, undefined]);
    const field = page.getByRole("textbox", { name: "Pairing code" });
    const keyboard = ["inputmode", "autocapitalize", "autocorrect", "autocomplete", "spellcheck"];
    expect(await Promise.all(keyboard.map((name) => field.getAttribute(name)))).toEqual([
      "text",
      "characters",
      "off",
      "off",
      "false",
    ]);
    // The field has no focus, so that no keyboard covers the button.
    const pair = page.getByRole("button", { name: "Pair", exact: true });
    await soon(() => page.evaluate("document.activeElement.textContent")).toBe("Pair");
    await pair.tap();
    await page.getByRole("button", { name: "To Studio", exact: true }).waitFor();
    expect(await isInSight(page, "#send")).toBe(true);
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose files" }).tap();
    await (await choosing).setFiles([chosen("Kick.wav", smallWav({ frames: 4410 }))]);
    await soon(() => rowNames(page)).toEqual(["Kick"]);
    await page.getByRole("button", { name: "Send to Studio" }).tap();
    await page.locator(".sent-bar").getByText("Waiting for Import", { exact: true }).waitFor();
    expect((await importer.packages()).packages).toMatchObject([{ status: "waiting" }]);
  });

  test("[G26] the chooser offers a phone's photo library, as it takes videos too", async () => {
    const { url } = await relayInNetwork();
    const page = await openOn(await phone(), url);
    const accept = await page.getByLabel("Sound files").getAttribute("accept");
    expect(accept?.split(",")).toEqual(expect.arrayContaining(["audio/*", "video/*", ".mov"]));
  });

  test("[G26] it sends where the browser stores nothing and has no locks", async () => {
    const { relay, url } = await relayInNetwork();
    const { code } = await computerAt(relay.url);
    const context = await phone();
    await context.addInitScript(`for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
      Object.defineProperty(globalThis, name, { get() { throw new DOMException("No.", "SecurityError"); } });
    }`);
    const page = await openOn(context, `${url}/#code=${await code()}`);
    await page.getByRole("button", { name: "Pair", exact: true }).tap();
    await page.getByRole("button", { name: "To Studio", exact: true }).waitFor();
    await page.getByLabel("Sound files").setInputFiles([chosen("Kick.wav", smallWav())]);
    await page.getByRole("button", { name: "Send to Studio" }).tap();
    await page.locator(".sent-bar").getByText("Waiting for Import", { exact: true }).waitFor();
  });

  test.each(LANGUAGES)(
    "[G26][G12] recording over plain http says why it can't, whole and in the phone's language: %s",
    async (locale) => {
      const { url } = await relayInNetwork();
      const page = await openOn(
        await phone({ locale, viewport: { width: 360, height: 640 } }),
        url,
      );
      await page.locator("dialog[open]").waitFor();
      await page.keyboard.press("Escape");
      await expectForFingers(page, locale);
      await page.locator("#record").tap();
      const said = page.locator(".status-line p");
      await soon(() => said.innerText()).toBe(TABLES[locale]["page.microphoneInsecure"]);
      expect(await isWhole(page)).toBe(true);
    },
  );

  test("[G27] on plain http in a network it has no Receive", async () => {
    const { url } = await relayInNetwork();
    const page = await openOn(await phone(), url);
    await page.getByRole("textbox", { name: "Pairing code" }).waitFor();
    expect(await page.getByText("/receive").count()).toBe(0);
    expect(await page.locator('a[href$="/receive"]').count()).toBe(0);
  });

  test("[G27] on this computer, Receive is beside Send, and the question for a code names it", async () => {
    const relay = await relayWithPage();
    const page = await openOn(await phone(), relay.url);
    const address = `${relay.url}/receive`;
    await page.getByText("Nothing installed? Open").waitFor();
    const named = page.getByRole("dialog").getByRole("link");
    expect(await named.getAttribute("href")).toBe(address);
    await page.keyboard.press("Escape");
    const link = page.getByRole("navigation").getByRole("link", { name: "Receive" });
    expect(await link.getAttribute("href")).toBe(address);
  });

  for (const scene of PAGE_SCENES) {
    test(`[G26] every control is large enough for a finger, and axe finds nothing: ${scene.name}`, async () => {
      const page = await (await phone()).newPage();
      await showPageScene(page, scene);
      await expectForFingers(page, scene.name);
      expect(await breachesOf(page), scene.name).toEqual([]);
    });
  }
});

/** Checks whether the whole sentence of the status is in sight. */
function isWhole(page: Page): Promise<boolean> {
  return page.evaluate(`(() => {
    const line = document.querySelector(".status-line");
    const [text] = line.children;
    return text.scrollHeight <= line.clientHeight && text.scrollWidth <= text.clientWidth;
  })()`);
}
