import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { buildReceiveWorker } from "../../../scripts/build-receive-worker.ts";
import { RunningRelay } from "../../relay/running-relay.ts";
import { manifestOf } from "../../manifest-of.ts";
import { smallWav } from "../../wav-bytes.ts";
import { PAGES } from "../send/page-at-work.ts";
import { sharedChromium } from "../shared-chromium.ts";

/** A page that has nothing but the importer: `importer` and its last state are in the window. */
const SCRIPT = `
import { BrowserImporter } from "./importer/browser-importer.ts";
const importer = new BrowserImporter();
Object.assign(window, { importer, state: null });
void importer.follow({ onState: (state) => { window.state = state; }, onLink() {} }, new AbortController().signal);
void importer.open();
`;

let made: Promise<string> | undefined;

function buildImporterPage(): Promise<string> {
  made ??= makePage();
  return made;
}

async function makePage(): Promise<string> {
  const resolveDir = fileURLToPath(new URL("../../../pages/receive/", import.meta.url));
  const { outputFiles } = await build({
    stdin: { contents: SCRIPT, resolveDir, loader: "ts" },
    bundle: true,
    write: false,
    format: "iife",
    logLevel: "silent",
  });
  const script = (outputFiles[0]?.text ?? "").replaceAll("</script", String.raw`<\/script`);
  return `<!doctype html><html lang="en"><head><link rel="icon" href="data:," /><title>Importer</title></head><body><script>${script}</script></body></html>`;
}

/** A relay's pages, with the importer's at `/receive`. */
export const importerPages = {
  ...PAGES,
  receive: { page: buildImporterPage, worker: buildReceiveWorker },
};

/** Starts a relay that serves the importer's page at `/receive`, until the test is over. */
export async function relayWithImporter(
  settings: Record<string, string> = {},
): Promise<RunningRelay> {
  const relay = await RunningRelay.start(settings, { pages: importerPages });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  return relay;
}

/** The importer in a page. */
export function importerIn(page: Page) {
  const run = <Result>(script: string): Promise<Result> => page.evaluate(script);
  // Playwright's own waiting needs `eval`, which the page's policy forbids.
  const until = (condition: string): Promise<void> =>
    run(`new Promise((resolve) => {
      const look = () => ((${condition}) ? resolve() : setTimeout(look, 5));
      look();
    })`);
  const stateIs = async (condition: string): Promise<PanelState> => {
    await until(`state !== null && (${condition})(state)`);
    return run("state");
  };
  return {
    run,
    /** Waits for a state. @param condition a function of the state, as a script */
    stateIs,
    stageIs: (stage: string) => until(`importer.view.stage === ${JSON.stringify(stage)}`),
    begin: (name = "Chrome on Linux") => run(`importer.begin(${JSON.stringify(name)})`),
    useZip: () => run("importer.useZip()"),
    /** Has imports written into a folder of the page's private files, as if a person had picked it. */
    useFolder: (name = "Samples") =>
      run(
        `navigator.storage.getDirectory()
          .then((root) => root.getDirectoryHandle(${JSON.stringify(name)}, { create: true }))
          .then((folder) => importer.useFolder(folder))`,
      ),
    send: (call: string, params: object = {}) =>
      run(`importer.send(${JSON.stringify(call)}, ${JSON.stringify(params)})`),
    /** Pairs an app with a code of this importer; returns its token. */
    pair: async (relay: Pick<RunningRelay, "claim">): Promise<string> => {
      await run(`importer.send("openCode", { fresh: false })`);
      const { pairing } = await stateIs("(state) => state.pairing.code !== null");
      return relay.claim(pairing.code ?? "");
    },
    /** The files below a folder of the private files, by path, with their sizes. */
    filesIn: (name = "Samples") =>
      run<Record<string, number>>(`(async () => {
        const files = {};
        const walk = async (folder, path) => {
          for await (const [name, one] of folder.entries()) {
            if (one.kind === "directory") await walk(one, path + name + "/");
            else files[path + name] = (await one.getFile()).size;
          }
        };
        const root = await navigator.storage.getDirectory();
        await walk(await root.getDirectoryHandle(${JSON.stringify(name)}, { create: true }), "");
        return files;
      })()`),
  };
}

/**
 * Sends a package of these sounds as an app does. Returns its id.
 * @param fields of the manifest's sounds, in their order
 */
export async function sendSounds(
  relay: RunningRelay,
  token: string,
  sounds: Readonly<Record<string, Buffer>>,
  more: object = {},
  fields: readonly object[] = [],
): Promise<string> {
  const { items, ...manifest } = manifestOf(sounds, more);
  const described = items.map((item, at) => Object.assign({}, item, fields[at]));
  const announced = await relay.announce(token, { ...manifest, items: described });
  const { package_id: packageId, upload } = announced;
  for (const [file, body] of Object.entries(sounds)) {
    await relay.call("PUT", upload[file] ?? "", { token, body });
  }
  await relay.call("POST", `/packages/${packageId}/commit`, { token });
  return packageId;
}

/** Two sounds that take several blocks each. */
export const LARGE = {
  "one.wav": smallWav({ frames: 1_700_000, channels: 2, fill: 1 }),
  "two.wav": smallWav({ frames: 1_500_000, channels: 2, fill: 2 }),
};

/** Returns the first byte of each download of a sound, in the order of the calls. */
export function notedStarts(page: Page): readonly number[] {
  const starts: number[] = [];
  page.on("request", (request) => {
    if (!/\/importer\/packages\/[^/]+\/files\//.test(request.url())) return;
    const [, first = "0"] = /bytes=(\d+)-/.exec(request.headers()["range"] ?? "") ?? [];
    starts.push(Number(first));
  });
  return starts;
}

/** A page that receives into a place, with an app that is paired. */
export async function receivingAt(
  page: Page,
  relay: RunningRelay,
  place: "zip" | "folder",
): Promise<{ readonly importer: ReturnType<typeof importerIn>; readonly token: string }> {
  const importer = importerIn(page);
  await importer.stageIs("new");
  await importer.begin();
  await importer.stageIs("receiving");
  await (place === "zip" ? importer.useZip() : importer.useFolder());
  return { importer, token: await importer.pair(relay) };
}

/** Opens the tabs of one browser of their own, until the test is over. */
export async function tabs(): Promise<(url: string) => Promise<Page>> {
  const context = await (await sharedChromium()).newContext();
  onTestFinished(() => context.close());
  return async (url) => {
    const page = await context.newPage();
    await page.goto(url);
    return page;
  };
}
