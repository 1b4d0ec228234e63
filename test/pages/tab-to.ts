import type { Page } from "playwright-core";

/** Reads the accessible name of what has the focus, as far as labels and texts give it. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const focused = document.activeElement;
    return (focused.ariaLabel ?? focused.labels?.[0]?.innerText ?? focused.innerText ?? "").trim();
  })()`);
}

/** Presses Tab until the control of this name has the focus. @throws {Error} if it never gets it */
export async function tabTo(page: Page, name: string | RegExp, key = "Tab"): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    const at = await focusedName(page);
    if (typeof name === "string" ? at === name : name.test(at)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`Tab does not come to ${name}.`);
}
