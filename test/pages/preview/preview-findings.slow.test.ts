import { basename } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hearFile } from "../../../cli/layout/hear-package.ts";
import { useBrowser } from "../panel/panel-browser.ts";
import { clipRow, detail, openPreview, sceneRow, showTab } from "./open-preview.ts";

const browser = useBrowser();

test("[V18] findings are at the scene, at the sound, and in words in the details", async () => {
  const { page } = await openPreview(browser, ["odd-tempi", "full-32"]);
  await sceneRow(page, /^Clocks That Disagree.* 7 notes/).click();
  expect(await sceneRow(page, /^Night Bus Home/).innerText()).not.toContain("note");
  await clipRow(page, /^A Tenth and a Frame Over/).click();
  const sentence = "Lasts 4.1 beats at 97.3 BPM, so the loop doesn't end on a beat.";
  await detail(page).getByText(sentence).waitFor();
  await showTab(page, /Package/);
  expect(
    await detail(page)
      .getByText(/^Note: /)
      .count(),
  ).toBe(7);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Details" }).click();
  await detail(page).getByText("Note: A Tenth Over lasts 4.1 beats").waitFor();
});

test("[V18][V3] while sounds are read the page says so, accepts nothing, and asks for the picked scene", async () => {
  const held = Promise.withResolvers<void>();
  onTestFinished(() => held.resolve());
  const asked: string[] = [];
  const { page } = await openPreview(browser, ["odd-tempi", "full-32", "gains"], {
    hear: async (file, listeners) => {
      asked.push(basename(file.local.folder));
      await held.promise;
      return hearFile(file, listeners);
    },
  });
  await sceneRow(page, /^Mind the Gain.*reading sounds/).click();
  await showTab(page, /Layout/);
  await detail(page).getByText("Still reading the sounds…").waitFor();
  const button = detail(page).getByRole("button", { name: "Accept this layout" });
  expect(await button.getAttribute("aria-disabled")).toBe("true");
  await button.click({ force: true });
  await showTab(page, /Changes/);
  await detail(page).getByText("Still reading the sounds of 1 package").waitFor();
  await showTab(page, /Layout/);
  held.resolve();
  await detail(page).getByText("This layout matches the accepted one.").waitFor();
  expect([...new Set(asked)].slice(0, 2)).toEqual(["odd-tempi", "gains"]);
});
