import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import type { NetworkPlace } from "../../lan/network-place.ts";
import { networkWithComputer, startUp } from "../../lan/up-in-network.ts";

/** A phone's screen and fingers. */
const PHONE_SCREEN = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
  userAgent:
    "Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
} as const;

/** The only sound on the phone: in the system's chooser of files, it is chosen at once. */
const SOUND = join(import.meta.dirname, "../../../fixtures/packages/one-shot-kit/kick-deep.wav");

/** A phone's browser; counts the taps on its pages. */
export interface Phone {
  readonly page: Page;
  readonly taps: readonly string[];
  /** Seconds since its address was opened. */
  readonly spent: () => number;
  tap(target: Locator): Promise<void>;
}

/** The panel of `up` on a computer, and a phone in the same network, until the test is over. */
export interface PhoneAtHome {
  readonly panel: Page;
  /** Opens the address in a new browser of the phone. */
  readonly open: (address: string, language?: string) => Promise<Phone>;
}

/** @param words more words of the command */
export async function phoneAtHome(...words: readonly string[]): Promise<PhoneAtHome> {
  const network = await networkWithComputer();
  const { panelUrl } = await startUp(network, ["--port", "4700", ...words]);
  const desk = await (await browserIn(network.computer)).newPage();
  await desk.goto(panelUrl);
  let hand: Promise<Browser> | undefined;
  return {
    panel: desk,
    open: async (address, locale = "en") => {
      hand ??= browserIn(network.phone);
      const context = await (await hand).newContext({ ...PHONE_SCREEN, locale });
      const page = await context.newPage();
      page.on("pageerror", (error) => expect.unreachable(error.message));
      page.on("filechooser", (chooser) => void chooser.setFiles(SOUND));
      const openedAt = Date.now();
      await page.goto(address);
      return { ...watchTaps(page), spent: () => (Date.now() - openedAt) / 1000 };
    },
  };
}

async function browserIn(place: NetworkPlace): Promise<Browser> {
  const browser = await place.chromium();
  onTestFinished(() => browser.close());
  return browser;
}

function watchTaps(page: Page): Omit<Phone, "spent"> {
  const taps: string[] = [];
  return {
    page,
    taps,
    tap: async (target) => {
      taps.push((await target.textContent()) ?? "");
      await target.tap();
    },
  };
}
