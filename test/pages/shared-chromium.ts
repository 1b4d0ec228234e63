import { type Browser, chromium } from "playwright-core";
import { describe } from "vitest";
import { CHROMIUM_ARGUMENTS, findChromium } from "../../scripts/pictures/find-chromium.ts";

const executablePath = findChromium();

/** Tests that need a browser; left out where this computer has none. */
export const describeInBrowser = describe.skipIf(executablePath === undefined);

/** Options that only some test files need. They change nothing for the others. */
const FOR_TESTS = [
  // Names that the browser treats as remote, and some of the local network.
  "--host-resolver-rules=MAP *.example 127.0.0.1, MAP *.local 127.0.0.1",
  // The tests' own key (test/relay/tls): a context's option doesn't reach service workers.
  "--ignore-certificate-errors-spki-list=2emvXlEpiY8F2IHqtL7MEjPcQQ3mqP/9nLDD6mSP9sU=",
  // A microphone that beeps once a second, without a prompt.
  "--use-fake-device-for-media-stream",
  "--use-fake-ui-for-media-stream",
];

let launched: Promise<Browser> | undefined;

/**
 * Chromium for all files of this worker, started for the first one that asks: give each test a page or a
 * context of its own, and never close the browser. It ends with the worker.
 */
export function sharedChromium(): Promise<Browser> {
  if (executablePath === undefined) throw new Error("There is no Chromium.");
  launched ??= chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS, ...FOR_TESTS] });
  return launched;
}
