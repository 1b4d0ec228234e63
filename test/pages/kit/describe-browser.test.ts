import { describe, expect, test } from "vitest";
import { MAX_NAME_LENGTH } from "../../../core/limits.ts";
import { cleanName } from "../../../core/text/clean-text.ts";
import { type BrowserHints, describeBrowser } from "../../../pages/kit/describe-browser.ts";

const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15";
const ANDROID = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)";
const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const SAFARI = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15";

const BRAVE = { brands: [{ brand: "Not A(Brand" }, { brand: "Brave" }], platform: "macOS" };
const CHROME_OS = { brands: [{ brand: "Google Chrome" }], platform: "Chrome OS" };
const KNOWN: readonly (readonly [
  words: string,
  userAgent: string,
  more?: Omit<BrowserHints, "userAgent">,
])[] = [
  ["Chrome on macOS", `${MAC} ${CHROME}`],
  ["Chrome on Windows", `${WINDOWS} ${CHROME}`],
  ["Chrome on Linux", `Mozilla/5.0 (X11; Linux x86_64) ${CHROME}`],
  ["Chrome on ChromeOS", `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME}`],
  ["Chrome on Android", `${ANDROID} Chrome/142.0.0.0 Mobile Safari/537.36`],
  ["Chrome on iPhone", `${IPHONE} CriOS/142.0.7444.46 Mobile/15E148 Safari/604.1`],
  ["Chrome on Linux", `(X11; Linux) ${CHROME.replace("Chrome", "HeadlessChrome")}`],
  ["Safari on macOS", `${MAC} ${SAFARI}`, { maxTouchPoints: 0 }],
  ["Safari on iPad", `${MAC} ${SAFARI}`, { maxTouchPoints: 5 }],
  ["Safari on iPhone", `${IPHONE} Version/26.1 Mobile/15E148 Safari/604.1`],
  ["Firefox on macOS", `${MAC.replace(")", "; rv:145.0)")} Gecko/20100101 Firefox/145.0`],
  ["Firefox on Windows", `${WINDOWS} Gecko/20100101 Firefox/145.0`],
  ["Firefox on Android", "Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0"],
  ["Firefox on iPhone", `${IPHONE} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`],
  ["Edge on Windows", `${WINDOWS} ${CHROME} Edg/142.0.0.0`],
  ["Edge on Android", `${ANDROID} Chrome/142.0.0.0 Mobile Safari/537.36 EdgA/142.0.0.0`],
  ["Opera on macOS", `${MAC} ${CHROME} OPR/124.0.0.0`],
  ["Samsung on Android", `${ANDROID} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`],
  ["Vivaldi on Windows", `${WINDOWS} ${CHROME} Vivaldi/7.6`],
  ["DuckDuckGo on iPhone", `${IPHONE} Version/26.1 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`],
  ["Brave on macOS", `${MAC} ${CHROME}`, { userAgentData: BRAVE }],
  ["Chrome on ChromeOS", `Mozilla/5.0 (X11; Linux) ${CHROME}`, { userAgentData: CHROME_OS }],
];

describe("what a browser is called", () => {
  test.for(KNOWN)("[P10] %s, which fits an app's name", ([words, userAgent, more]) => {
    const name = describeBrowser({ userAgent, ...more }) ?? "";
    expect([name, cleanName(name)]).toEqual([words, words]);
    expect(name.length).toBeLessThanOrEqual(MAX_NAME_LENGTH);
  });

  test("[P10] says only what is known", () => {
    expect(describeBrowser({ userAgent: "Mozilla/5.0 (X11; Linux x86_64) Ladybird/1.0" })).toBe(
      "Linux",
    );
    expect(describeBrowser({ userAgent: "Firefox/145.0" })).toBe("Firefox");
    expect(describeBrowser({ userAgent: "", userAgentData: {} })).toBeNull();
    expect(describeBrowser({ userAgent: "curl/8", userAgentData: { platform: "" } })).toBeNull();
  });
});
