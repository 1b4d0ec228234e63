import { Buffer } from "node:buffer";
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

// Builds the panel's page: one HTML file with script and style in it, so that Live's dialog can show it
// without a server. Run as a script, it says how large the page is.

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** What makes the page, beside its own sources. */
const MAKERS = ["scripts/build-panel.ts", "scripts/bundle-panel.ts", "package-lock.json"];

/** What a kept page was made from. */
interface Stamp {
  readonly inputs: readonly string[];
  /** Of the inputs and of the page itself. */
  readonly digest: string;
}

/**
 * The panel's page as one HTML text that loads nothing else. Its `#start` element holds `null`; Live's
 * dialog gets a `PanelStart` there, as JSON with every `<` written as `\u003c`. The page is kept as
 * `panel.html`, and read from there while nothing has changed.
 * @param folder absolute; `dist/` where left out
 */
export async function buildPanelPage(folder = join(ROOT, "dist")): Promise<string> {
  const kept = join(folder, "panel.html");
  const stamped = join(folder, "panel.stamp.json");
  const known = await readKept(kept, stamped);
  if (known !== undefined) return known;
  // Loaded only now: most calls need no bundler.
  const { bundlePanel } = await import("./bundle-panel.ts");
  const { page, inputs: sources } = await bundlePanel();
  const inputs = [...MAKERS, ...sources];
  const stamp: Stamp = { inputs, digest: await digestOf(inputs, page) };
  await mkdir(folder, { recursive: true });
  await replaceFile(kept, page);
  await replaceFile(stamped, JSON.stringify(stamp));
  return page;
}

/** undefined where there is no page, or not one of the present sources. */
async function readKept(kept: string, stamped: string): Promise<string | undefined> {
  try {
    const page = await readFile(kept, "utf8");
    const { inputs, digest } = JSON.parse(await readFile(stamped, "utf8")) as Stamp;
    return (await digestOf(inputs, page)) === digest ? page : undefined;
  } catch {
    return undefined;
  }
}

async function digestOf(inputs: readonly string[], page: string): Promise<string> {
  const contents = await Promise.all(inputs.map((input) => readFile(join(ROOT, input))));
  const hash = createHash("sha256");
  for (const content of contents) hash.update(`${content.length}\n`).update(content);
  return hash.update(page).digest("hex");
}

/** Writes beside and renames: several processes may build at once, and nobody reads half a file. */
async function replaceFile(path: string, text: string): Promise<void> {
  const beside = `${path}.${randomUUID()}`;
  await writeFile(beside, text);
  await rename(beside, path);
}

if (import.meta.main) {
  const page = await buildPanelPage();
  const [bytes, compressedBytes] = [Buffer.byteLength(page), gzipSync(page).length];
  process.stdout.write(`dist/panel.html: ${bytes} bytes, ${compressedBytes} compressed\n`);
}
