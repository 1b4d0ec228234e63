import { expect, test } from "vitest";
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
