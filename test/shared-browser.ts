import { type Browser, chromium } from "playwright-core";
import { CHROMIUM_ARGUMENTS, findChromium } from "../scripts/pictures/find-chromium.ts";

const executablePath = findChromium();
const running = new Map<string, Promise<Browser>>();

/** Whether this computer has a browser. */
export const HAS_BROWSER = executablePath !== undefined;

/**
 * One browser for all test files of a worker, because its start takes longer than most tests: give each test contexts
 * of its own, and never close the browser. It ends with the worker; one that crashed is replaced.
 * @param words more of its arguments; each set of them is a browser of its own
 */
export async function sharedBrowser(words: readonly string[] = []): Promise<Browser> {
  if (executablePath === undefined) throw new Error("There is no browser.");
  const key = words.join(" ");
  const known = running.get(key);
  if (known !== undefined && (await isWell(known))) return known;
  const starting = chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS, ...words] });
  running.set(key, starting);
  return starting;
}

async function isWell(browser: Promise<Browser>): Promise<boolean> {
  return browser.then(
    (one) => one.isConnected(),
    () => false,
  );
}
