import { expect, test } from "vitest";
import { PAGE_APP, pageAppName, parsePageApp } from "../../../core/protocol/page-app.ts";

test("[P10] the page pairs with the name of its browser, which is understood again", () => {
  const name = pageAppName("Chrome on macOS");
  expect(name).toBe("Soundferry page (Chrome on macOS)");
  expect(parsePageApp(name)).toEqual({ name: "Soundferry page", browser: "Chrome on macOS" });
  expect(pageAppName(null)).toBe(PAGE_APP);
});

test.each([
  "Soundferry page",
  "Soundferry page ()",
  "Soundferry page (Chrome",
  "Soundferry page Chrome)",
  "Looper (Chrome on macOS)",
  "My Soundferry page (Chrome)",
  "App",
])("[P10] another app keeps its whole name: %s", (name) => {
  expect(parsePageApp(name)).toEqual({ name, browser: null });
});
