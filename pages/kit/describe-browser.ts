/** A browser's information about itself. */
export interface BrowserHints {
  readonly userAgent: string;
  /** `navigator.maxTouchPoints`: an iPad calls itself a Mac, but has a touch screen. */
  readonly maxTouchPoints?: number;
  /** User-agent client hints, where the browser has them. */
  readonly userAgentData?: UserAgentHints | undefined;
}

/** The part of `navigator.userAgentData` that needs no permission. */
interface UserAgentHints {
  readonly brands?: readonly { readonly brand: string }[];
  readonly platform?: string;
}

/** Browsers in the order of preference, because most also call themselves Chrome or Safari. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b|\bOPT\//, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bSamsungBrowser\//, "Samsung"],
  [/\bDuckDuckGo\/|\bDdg\//, "DuckDuckGo"],
  [/\bFxiOS\/|\bFirefox\//, "Firefox"],
  [/\bHeadlessChrome\/|\bCriOS\/|\bChrome\//, "Chrome"],
  [/\bChromium\//, "Chromium"],
  [/\bVersion\/\S+ .*\bSafari\//, "Safari"],
];

/** Brands of client hints for browsers whose user agent says Chrome. */
const BRANDS: readonly (readonly [brand: string, name: string])[] = [
  ["Brave", "Brave"],
  ["Vivaldi", "Vivaldi"],
  ["Opera", "Opera"],
  ["Microsoft Edge", "Edge"],
  ["DuckDuckGo", "DuckDuckGo"],
];

/** Systems in the order of preference, because an Android phone also calls itself Linux. */
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b|\bChrom(e|ium) OS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac(intosh|OS| OS)?\b/i, "macOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

/** Names the browser and its system in words, such as `Chrome on macOS`; null if neither is known. */
export function describeBrowser(hints: BrowserHints): string | null {
  const browser = browserOf(hints);
  const system = systemOf(hints);
  if (browser === undefined || system === undefined) return browser ?? system ?? null;
  return `${browser} on ${system}`;
}

function browserOf({ userAgent, userAgentData }: BrowserHints): string | undefined {
  const brands = new Set(userAgentData?.brands?.map(({ brand }) => brand));
  const branded = BRANDS.find(([brand]) => brands.has(brand));
  return branded?.[1] ?? BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1];
}

function systemOf({ userAgent, userAgentData, maxTouchPoints = 0 }: BrowserHints) {
  const found = nameSystem(userAgentData?.platform ?? "") ?? nameSystem(userAgent);
  return found === "macOS" && maxTouchPoints > 1 ? "iPad" : found;
}

function nameSystem(text: string): string | undefined {
  return SYSTEMS.find(([pattern]) => pattern.test(text))?.[1];
}
