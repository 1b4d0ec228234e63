import type { Page } from "playwright-core";

/** The pairing code that the panel shows. */
export async function readCode(page: Page): Promise<string> {
  const code = page.getByRole("img", { name: /^Pairing code/ });
  return (await code.innerText()).trim();
}
