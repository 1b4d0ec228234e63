import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { OwnPackage, OwnPackagesAnswer } from "../../../core/protocol/public-api.ts";
import { soon } from "../../sim/soon.ts";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import {
  chooseFiles,
  pairedPage,
  pairedPageOverLine,
  rowNames,
  sendOnPage,
  settleQuestions,
} from "./page-at-work.ts";
import { wavOnDisk } from "./test-sounds.ts";

const browser = useBrowser();
const UNFINISHED = "Take one wasn’t sent completely.";

/** A page that was reloaded in the middle of a send, and the packages that its app has announced since. */
async function reloaded() {
  const over = await pairedPageOverLine(browser.open);
  const { relay, line, page } = over;
  await page.getByLabel("Sound files").setInputFiles(await wavOnDisk("long.wav", 16_000_000));
  await settleQuestions(page);
  await page.getByRole("textbox", { name: "Scene title" }).fill("Take one");
  line.play({ at: { bytes: 2_000_000 }, does: "stall" });
  await send(page);
  await page.getByText(/^Sending: [1-9]/).waitFor();
  line.breakStalled();
  line.repair();
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.getByText(UNFINISHED).waitFor();
  await soon(() => rowNames(page)).toHaveLength(1);
  return { ...over, packages: () => ownPackages(relay.url, page) };
}

/** Lists the packages of the page's app, as the relay has them. */
async function ownPackages(relayUrl: string, page: Page): Promise<readonly OwnPackage[]> {
  const stored = await page.evaluate<string>("localStorage['soundferry.pairings']");
  const [{ token }] = JSON.parse(stored);
  const answer = await fetch(`${relayUrl}/packages`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { packages }: OwnPackagesAnswer = JSON.parse(await answer.text());
  return packages;
}

async function send(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Send to Studio" }).click();
}

async function untilWaiting(page: Page): Promise<void> {
  await page.locator(".sent-bar").getByText("Waiting for Import", { exact: true }).waitFor();
}

describeInBrowser("a reload in the middle of a send (needs Chromium)", () => {
  test("[G18] Continue sends the rest, and the sent sounds leave the new package", async () => {
    const { importer, page } = await reloaded();
    await page.getByRole("button", { name: "Continue" }).click();
    await untilWaiting(page);
    const { packages } = await importer.packages();
    expect(packages).toMatchObject([{ manifest: { title: "Take one", items: [{ id: "1" }] } }]);
    await page.reload();
    await page.getByText("Drop sounds or a folder anywhere on this page.").waitFor();
    await soon(() => page.getByText(UNFINISHED).count()).toBe(0);
  });

  test("[G18] Send continues the package of unchanged sounds instead of making a second one", async () => {
    const { page, packages } = await reloaded();
    const [first] = await packages();
    await send(page);
    await untilWaiting(page);
    expect(await packages()).toMatchObject([
      { package_id: first?.package_id, title: "Take one", status: "waiting" },
    ]);
  });

  test("[G18] sounds that were changed become a new package, and the first one is withdrawn", async () => {
    const { page, packages } = await reloaded();
    await page.getByRole("textbox", { name: "Scene title" }).fill("Take two");
    await send(page);
    await untilWaiting(page);
    await soon(packages).toMatchObject([{ title: "Take two", status: "waiting" }]);
  });

  test("[G18] Discard withdraws the package, and the sounds stay", async () => {
    const { page, packages } = await reloaded();
    await page.getByRole("button", { name: "Discard" }).click();
    await soon(() => page.getByText(UNFINISHED).count()).toBe(0);
    expect(await rowNames(page)).toHaveLength(1);
    await soon(packages).toEqual([]);
  });

  test("[G18] sounds that were sent don't come back if the page ends before their draft is deleted", async () => {
    const { page } = await pairedPage(browser.open);
    await chooseFiles(page, "one-shot-kit/rim.wav");
    await page.evaluate("IDBObjectStore.prototype.delete = IDBObjectStore.prototype.getAll");
    await sendOnPage(page);
    await page.reload();
    await page.getByRole("button", { name: "To Studio", exact: true }).waitFor();
    await page.getByText("Drop sounds or a folder anywhere on this page.").waitFor();
  });
});
