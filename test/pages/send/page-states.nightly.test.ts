import { expect, onTestFinished, test } from "vitest";
import type { PreviewFaults } from "../../../addon/hosts/preview/preview-faults.ts";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import {
  chooseFiles,
  computerAt,
  field,
  pairedPage,
  pairedPageOverLine,
  pairOnPage,
  relayWithPage,
  rowOf,
  sendOnPage,
  settleQuestions,
} from "./page-at-work.ts";
import { wavOnDisk } from "./test-sounds.ts";
import { soon } from "../../sim/soon.ts";

const browser = useBrowser();

describeInBrowser("pairing, sending and following on the relay's page (needs Chromium)", () => {
  test("[G2] a code that is refused leaves the focus in its field, with the reason", async () => {
    const relay = await relayWithPage();
    const page = await browser.open(`${relay.url}/#code=222%20222`);
    const field = page.getByRole("textbox", { name: "Pairing code" });
    await soon(() => field.inputValue()).toBe("222 222");
    expect(page.url()).toBe(`${relay.url}/`);
    await field.press("Enter");
    const error = page.getByRole("alert").filter({ hasText: /code/ });
    await error.waitFor();
    await soon(() => field.getAttribute("aria-invalid")).toBe("true");
    await soon(() => field.getAttribute("aria-describedby")).toContain(
      await error.getAttribute("id"),
    );
    await soon(() => page.evaluate("document.activeElement.labels?.[0].textContent")).toBe(
      "Pairing code",
    );
    await field.fill("nonsense");
    await field.press("Enter");
    await error.filter({ hasText: "six letters and digits" }).waitFor();
  });

  test("[G2] one of several computers is selected, and unpairing one keeps the other", async () => {
    const { relay, importer, page } = await pairedPage(browser.open);
    const other = await computerAt(relay.url, "Attic");
    await page.getByRole("button", { name: "To Studio", exact: true }).click();
    await pairOnPage(page, await other.code(), "Attic");
    await page.getByRole("button", { name: "To Attic", exact: true }).click();
    const [studio, attic] = ["Studio", "Attic"].map((name) => page.getByRole("radio", { name }));
    await soon(() => attic?.isChecked()).toBe(true);
    await studio?.check();
    await page.getByRole("button", { name: "Close" }).click();
    await chooseFiles(page, "one-shot-kit/rim.wav");
    await sendOnPage(page);
    expect((await importer.packages()).packages).toHaveLength(1);
    expect((await other.importer.packages()).packages).toEqual([]);
    await page.getByRole("button", { name: "To Studio", exact: true }).click();
    await page.getByRole("button", { name: "Unpair Studio" }).click();
    await page.getByRole("button", { name: "Keep Studio" }).press("Escape");
    await page.getByRole("button", { name: "Unpair Studio" }).click();
    await page.getByRole("button", { name: "Unpair Studio" }).click();
    await page.getByRole("button", { name: "Unpair Studio" }).waitFor({ state: "detached" });
    expect((await importer.apps()).apps).toEqual([]);
    expect((await other.importer.apps()).apps).toHaveLength(1);
  });

  test("[G5] shows a full relay's own sentence, and keeps what the user entered", async () => {
    const { importer, page } = await pairedPage(browser.open, {
      SOUNDFERRY_WAITING_PACKAGES_PER_DEVICE: "1",
    });
    await chooseFiles(page, "one-shot-kit/rim.wav");
    await sendOnPage(page);
    await chooseFiles(page, "one-shot-kit/clap-room.wav");
    await page.getByRole("button", { name: "Send to Studio" }).click();
    await page.getByRole("status").filter({ hasText: "Many packages wait at Studio." }).waitFor();
    await importer.importAll();
    await page.getByRole("button", { name: "Send to Studio" }).click();
    await soon(async () => (await importer.packages()).packages.length).toBe(2);
  });

  test("[G5] Cancel withdraws the package, and the sounds stay", async () => {
    const { relay, line, page } = await pairedPageOverLine(browser.open);
    await page.getByLabel("Sound files").setInputFiles(await wavOnDisk("long.wav", 16_000_000));
    await settleQuestions(page);
    line.play({ at: { bytes: 2_000_000 }, does: "stall" });
    await page.getByRole("button", { name: "Send to Studio" }).click();
    await page.getByText(/^Sending: [1-9]/).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.locator(".clip-row").first().waitFor();
    await soon(() => relay.logLines.join("")).toMatch(/"method":"DELETE".*"status":200/);
    await soon(() => page.getByRole("status").filter({ hasText: "Retrying" }).count()).toBe(0);
  });

  test("[G5] Cancel withdraws the package of an earlier attempt, too", async () => {
    const { relay, page } = await pairedPage(browser.open);
    await chooseFiles(page, "one-shot-kit/rim.wav");
    onTestFinished(() => page.unrouteAll());
    const headers = { "soundferry-relay": "1" };
    const refusal = { status: 507, headers, json: { error: "No room." } };
    await page.route("**/files/*", (route) => route.fulfill(refusal));
    const send = page.getByRole("button", { name: "Send to Studio" });
    await send.click();
    await page.getByRole("status").filter({ hasText: "No room." }).waitFor();
    await page.route("**/packages", () => {});
    await send.click();
    await page.getByText("Starting…").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await soon(() => relay.logLines.join("")).toMatch(/"method":"DELETE".*"status":200/);
  });

  test("[G2][G5] reports a pairing that was ended elsewhere, asks for a code and keeps the sounds", async () => {
    const { importer, page } = await pairedPage(browser.open);
    await chooseFiles(page, "one-shot-kit/rim.wav");
    const [app] = (await importer.apps()).apps;
    await importer.unpair(app?.pairing_id ?? "");
    await page.getByRole("button", { name: "Send to Studio" }).click();
    await page.getByText("Studio is no longer paired with this page.").first().waitFor();
    await page.getByRole("textbox", { name: "Pairing code" }).waitFor();
    await page.locator(".clip-row").first().waitFor();
    const { code } = await importer.pairingCode();
    await pairOnPage(page, code);
    await sendOnPage(page);
  });

  test("[G6] follows a sent package across a reload, up to each sound's result", async () => {
    const { importer, page } = await pairedPage(browser.open);
    await chooseFiles(page, "one-shot-kit/rim.wav", "one-shot-kit/clap-room.wav");
    await page.getByRole("textbox", { name: "Scene title" }).fill("Two Hits");
    await sendOnPage(page);
    await page.reload();
    await page.getByRole("row", { name: "Two Hits, Studio, Waiting for Import" }).waitFor();
    await importer.importAll();
    await page.getByRole("row", { name: "Two Hits, Studio, All 2 sounds imported" }).click();
    await page.getByRole("button", { name: "Dismiss Two Hits" }).click();
    await page.getByRole("row", { name: "Two Hits, Studio, Dismissed" }).waitFor();
    await page.getByRole("button", { name: "Undo: keep Two Hits" }).click();
    await page.getByRole("row", { name: "Two Hits, Studio, All 2 sounds imported" }).waitFor();
    await page.getByRole("button", { name: "Dismiss Two Hits" }).click();
    await page.reload();
    await page.getByRole("button", { name: "To Studio", exact: true }).waitFor();
    await soon(() => rowOf(page, "Two Hits").count()).toBe(0);
  });

  test("[G6] both tabs follow both packages after a reload", async () => {
    const { page } = await pairedPage(browser.open);
    const opening = page.waitForEvent("popup");
    await page.evaluate("void open(location.href)");
    const other = await opening;
    onTestFinished(() => other.close());
    await other.getByRole("button", { name: "To Studio", exact: true }).waitFor();
    for (const [tab, title] of [[page, "First"] as const, [other, "Second"] as const]) {
      await chooseFiles(tab, "one-shot-kit/rim.wav");
      await tab.getByRole("textbox", { name: "Scene title" }).fill(title);
      await sendOnPage(tab);
    }
    await page.reload();
    await rowOf(page, "First").waitFor();
    await rowOf(page, "Second").waitFor();
  });

  test("[G6] a package that can no longer be followed says so and can be dismissed", async () => {
    const { importer, page } = await pairedPage(browser.open);
    await chooseFiles(page, "one-shot-kit/rim.wav");
    await sendOnPage(page);
    const [app] = (await importer.apps()).apps;
    await importer.unpair(app?.pairing_id ?? "");
    await page.locator(".sent-bar").getByText("Stopped following", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Dismiss Rim" }).click();
    await page.getByRole("row", { name: "Rim, Studio, Dismissed" }).waitFor();
  });

  test("[G6] each sound's result says what failed, and which settings differ in the host", async () => {
    const faults: PreviewFaults = {
      failSounds: ["1"],
      holdOtherwise: new Map([["2", { gain_db: 0 }]]),
    };
    const { importer, page } = await pairedPage(browser.open, {}, faults);
    await page.setViewportSize({ width: 1100, height: 720 });
    await chooseFiles(page, "one-shot-kit/clap-room.wav", "one-shot-kit/rim.wav");
    await rowOf(page, "Rim").click();
    await field(page, "Gain in dB").fill("-6");
    await sendOnPage(page);
    await importer.importAll();
    await page.locator(".sent-bar").getByText("1 of 2 sounds imported", { exact: true }).waitFor();
    const detail = page.locator(".sent-detail");
    await rowOf(page, "Clap Room").click();
    await soon(() => detail.innerText()).toMatch(/^Clap Room\s+Failed\s+\S/);
    await rowOf(page, "Rim").click();
    await soon(() => detail.innerText()).toContain("Gain: asked for −6 dB, got 0 dB.");
  });

  test("[G6] a package that is in the host can't be withdrawn, and the relay's sentence says so", async () => {
    const { relay, importer, page } = await pairedPage(browser.open);
    await chooseFiles(page, "one-shot-kit/rim.wav");
    await sendOnPage(page);
    await page.setViewportSize({ width: 1100, height: 720 });
    await page.route("**/status?*", () => {});
    await page.reload();
    await rowOf(page, "Rim").click();
    await page.getByRole("button", { name: "Withdraw Rim" }).click();
    await importer.importAll();
    await page.getByRole("button", { name: "Withdraw Rim" }).click();
    await page.locator(".sent-detail").getByText("This package is already imported.").waitFor();
    expect(relay.logLines.join("")).toMatch(/"method":"DELETE".*"status":409/);
  });
});
