import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { computerAt, relayWithPage } from "../../pages/send/page-at-work.ts";
import { wavOnDisk } from "../../pages/send/test-sounds.ts";
import { Cutter } from "../../sim/cutter.ts";
import { soon } from "../../sim/soon.ts";
import { describeInBrowser, pairElement, tenLines, useElementPages } from "../app-page.ts";

const pages = useElementPages();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Reads what the page's origin has stored: packages in the database, and keys of both storages. */
const stored = (page: Page) =>
  page.evaluate(`(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name);
    let packages = 0;
    if (names.includes("soundferry")) {
      const request = indexedDB.open("soundferry");
      await new Promise((resolve) => (request.onsuccess = resolve));
      const all = request.result.transaction("packages").objectStore("packages").getAll();
      await new Promise((resolve) => (all.onsuccess = resolve));
      request.result.close();
      packages = all.result.length;
    }
    return { packages, local: Object.keys(localStorage), session: Object.keys(sessionStorage).length };
  })()`);

/** An element whose send stalled. */
async function stalled(attributes = "") {
  const relay = await relayWithPage();
  const line = await Cutter.to(relay.url);
  const { importer, code } = await computerAt(relay.url);
  const page = await pages.open(tenLines(`http://127.0.0.1:${line.port}`, attributes));
  await pairElement(page, await code());
  await page.locator("input[type=file]").setInputFiles(await wavOnDisk("Kick.wav", 16_000_000));
  await page.getByRole("combobox").selectOption("oneshot");
  line.play({ at: { bytes: 2_000_000 }, does: "stall" });
  await button(page, "Send to Studio").click();
  await page.getByText(/^Sending: [1-9]/).waitFor();
  return { line, importer, code, page };
}

/** Reloads the page, and continues after the person has unpaired the app. */
async function unpairedMeanwhile({ line, importer, page }: Awaited<ReturnType<typeof stalled>>) {
  await page.reload();
  line.breakStalled();
  line.repair();
  await page.getByText("Kick wasn’t sent completely.").waitFor();
  const [app] = (await importer.apps()).apps;
  await importer.unpair(app?.pairing_id ?? "");
  await button(page, "Continue").click();
}

describeInBrowser("what <soundferry-send> keeps (needs Chromium)", () => {
  test("[W17] is shown and discarded with the keyboard while the element is unpaired", async () => {
    const sent = await stalled('lang="en"');
    const { page } = sent;
    await using _line = sent.line;
    await unpairedMeanwhile(sent);
    const field = page.getByRole("textbox", { name: "Pairing code" });
    await field.waitFor();
    const element = page.locator("soundferry-send");
    const speak = (lang: string) =>
      element.evaluate((one, to) => one.setAttribute("lang", to), lang);
    const discard = page.getByRole("button", {
      name: "Discard",
      description: "Kick wasn’t sent completely.",
    });
    await soon(() => button(page, "Continue").count()).toBe(0);
    await speak("de");
    await page.getByText("Kick wurde nicht vollständig gesendet.").waitFor();
    await speak("en");
    await discard.focus();
    await page.keyboard.press("Enter");
    await discard.waitFor({ state: "detached" });
    await soon(() => element.evaluate((one) => one.shadowRoot?.activeElement?.id)).toBe("code");
    expect(await stored(page)).toMatchObject({ packages: 0 });
  });

  test("[W17] is continued by the next pairing", async () => {
    const sent = await stalled();
    const { importer, code, page } = sent;
    await using _line = sent.line;
    await unpairedMeanwhile(sent);
    await pairElement(page, await code());
    await button(page, "Continue").click();
    await page.getByText("Waiting for Import", { exact: true }).waitFor();
    expect(await stored(page)).toMatchObject({ packages: 0 });
    expect((await importer.packages()).packages).toHaveLength(1);
  });

  test('[W17] with keep="session" is nothing on the disk but the tab\'s session', async () => {
    const { line, page } = await stalled('keep="session"');
    await using _line = line;
    expect(await stored(page)).toEqual({ packages: 0, local: [], session: 2 });
    line.breakStalled();
    line.repair();
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await tab.getByRole("textbox", { name: "Pairing code" }).waitFor();
    expect(await stored(tab)).toEqual({ packages: 0, local: [], session: 0 });
    await page.reload();
    await page.getByRole("button", { name: /^To Studio/ }).waitFor();
    expect(await page.getByText("wasn’t sent completely").count()).toBe(0);
  });
});
