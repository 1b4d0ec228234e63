import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parseRelayUrl } from "../addon/relay/relay-url.ts";
import { sentenceOf } from "../core/text/sentence-of.ts";
import { VERSION } from "../core/version.ts";
import { buildPanelPage } from "./build-pages.ts";
import { bundleExtension, type ExtensionBundle } from "./live/bundle-extension.ts";
import { formatLicenses } from "./live/licenses.ts";
import { readStretchScript, STRETCH_PACKAGE } from "./read-stretch-script.ts";
import { packExtension } from "./live/pack-extension.ts";
import { openSdk } from "./live/sdk.ts";

// Builds the extension for Live: `dist/Soundferry-<version>.ablx`. docs/build/release.md describes the release.

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** The packages that are bundled into the panel's page. */
export const PANEL_PACKAGES = ["preact", "uqr"];
const USE = "Use: npm run build:live [-- --sdk <folder or .tgz>] [--relay <address>]";

export interface LiveBuildOptions {
  /** Live's SDK: its package folder or `.tgz`. Default: the stand-in. */
  readonly sdk?: string | undefined;
  /** The relay address that the panel suggests on the first run. */
  readonly relay?: string | undefined;
}

export interface LiveBuild extends ExtensionBundle {
  /** The file that Live installs. */
  readonly archive: Uint8Array;
  /** Without the SDK the extension can't run in Live. */
  readonly hasSdk: boolean;
}

/**
 * Builds the extension; writes nothing but the panel's page.
 * @throws {Error} with a sentence if the SDK or the address can't be used
 */
export async function buildLive({ sdk, relay }: LiveBuildOptions = {}): Promise<LiveBuild> {
  await using opened = await openSdk(sdk);
  const bundle = await bundleExtension({
    sdkEntry: opened.entry,
    panelPage: await buildPanelPage(),
    stretchScript: await readStretchScript(),
    suggestedRelayUrl: relay === undefined ? "" : readAddress(relay),
  });
  const archive = packExtension(bundle.code, {
    "LICENSE.txt": await readFile(join(ROOT, "LICENSE"), "utf8"),
    "THIRD-PARTY-LICENSES.txt": await formatLicenses([
      ...bundle.packages,
      ...PANEL_PACKAGES,
      STRETCH_PACKAGE,
    ]),
  });
  return { ...bundle, archive, hasSdk: !opened.isStandIn };
}

/** @throws {Error} with a sentence */
function readAddress(relay: string): string {
  try {
    return parseRelayUrl(relay);
  } catch (error) {
    throw new Error(`--relay ${sentenceOf(error)}`, { cause: error });
  }
}

async function run(): Promise<void> {
  const { values } = parseArgs({ options: { sdk: { type: "string" }, relay: { type: "string" } } });
  const { archive, code, hasSdk } = await buildLive(values);
  const path = `dist/Soundferry-${VERSION}.ablx`;
  await mkdir(join(ROOT, "dist"), { recursive: true });
  await writeFile(join(ROOT, path), archive);
  process.stdout.write(
    `${path}: ${archive.length} bytes, the code in it ${Buffer.byteLength(code)}\n`,
  );
  if (!hasSdk) {
    process.stderr.write(
      "It was built without Ableton's SDK and can't run in Live: give it with --sdk.\n",
    );
  }
}

if (import.meta.main) {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n${USE}\n`);
    process.exitCode = 1;
  }
}
