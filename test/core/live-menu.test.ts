import { expect, test } from "vitest";
import { inLiveMenu, LIVE_MENU } from "../../core/live-menu.ts";

test("an entry of Live's menus is shown with the extension's name", () => {
  expect(inLiveMenu(LIVE_MENU.newest)).toBe("Extensions → Soundferry: Import Newest");
});
