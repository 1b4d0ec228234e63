import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { buildReceiveWorker } from "../../../scripts/build-receive-worker.ts";
import { RunningRelay } from "../../relay/running-relay.ts";
import { PAGES } from "../send/page-at-work.ts";

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

/** Starts a relay that serves the importer's page at `/receive`, until the test is over. */
export async function relayWithImporter(
  settings: Record<string, string> = {},
): Promise<RunningRelay> {
  const receive = { page: buildImporterPage, worker: buildReceiveWorker };
  const relay = await RunningRelay.start(settings, { pages: { ...PAGES, receive } });
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
