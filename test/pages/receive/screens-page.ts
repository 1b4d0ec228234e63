import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import type { PanelPlan, PanelState } from "../../../core/protocol/panel-api.ts";
import type { ReceiveState } from "../../../pages/receive/importer/receive-state.ts";
import { servePage } from "../../serve-page.ts";
import type { useBrowser } from "../panel/panel-browser.ts";

/** The page's screens over an importer that records its calls. `__canned` in the window is how a test drives it. */
const SCRIPT = `
import { render } from "preact";
import { ViewStore } from "../../core/view-store.ts";
import { choosePageLanguage } from "../kit/choose-page-language.ts";
import { guardDoubleClicks } from "../kit/guard-double-clicks.ts";
import { openPageRoot } from "../kit/page-root.ts";
import { saveNewZips } from "./place/save-zip.ts";
import { ReceiveApp } from "./receive-app.tsx";

const canned = { calls: [], refusal: null, state: null, plan: null, listeners: new Set() };
class CannedImporter extends ViewStore {
  offersDrags = false;
  note(name, call) {
    canned.calls.push([name, ...call]);
    if (canned.refusal !== null) throw new Error(canned.refusal);
  }
  async send(...call) { this.note("send", call); }
  async begin(...call) { this.note("begin", call); }
  async takeOver() { this.note("takeOver", []); }
  async useFolder(folder) {
    this.note("useFolder", [folder.name]);
    this.change({ place: { kind: "folder", name: folder.name, asksAgain: false } });
  }
  async useZip() {
    this.note("useZip", []);
    this.change({ place: { kind: "zip" } });
  }
  async writeLiveSets(isOn) {
    this.note("writeLiveSets", [isOn]);
    this.change({ writesLiveSet: isOn });
  }
  async forget(options) {
    this.note("forget", [options]);
    this.change({ stage: "new" });
  }
  async follow({ onState }, signal) {
    const show = () => canned.state !== null && onState(canned.state);
    canned.listeners.add(show);
    show();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    canned.listeners.delete(show);
  }
  async followLiveCheck() {}
  async plan() { return canned.plan; }
  async sound() { throw new Error("This sound is no longer available."); }
}
const importer = new CannedImporter({
  stage: "new", needsKey: false, suggestedName: "Chrome on Linux", place: null, canPickFolder: true,
  writesLiveSet: false, zips: [],
});
window.__canned = Object.assign(canned, {
  change: (view) => importer.change(view),
  show: (state, plan) => {
    Object.assign(canned, { state, plan });
    for (const listener of canned.listeners) listener();
  },
});
choosePageLanguage();
const root = openPageRoot();
guardDoubleClicks(root);
saveNewZips(importer);
render(<ReceiveApp importer={importer} />, root);
`;

let made: Promise<string> | undefined;

/** The screens as one HTML text. */
function buildScreens(): Promise<string> {
  made ??= makeScreens();
  return made;
}

async function makeScreens(): Promise<string> {
  const resolveDir = fileURLToPath(new URL("../../../pages/receive/", import.meta.url));
  const options = {
    bundle: true,
    write: false,
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "silent",
  } as const;
  const textOf = async (contents: string, loader: "tsx" | "css") => {
    const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir, loader } });
    return outputFiles[0]?.text ?? "";
  };
  const [script, style] = await Promise.all([
    textOf(SCRIPT, "tsx"),
    textOf('@import "./style/receive.css";', "css"),
  ]);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" /><title>Receive</title>
<style>${style}</style></head><body><script>${script.replaceAll("</script", "<\\/script")}</script></body></html>`;
}

/** An opened page of screens. */
export interface Screens {
  readonly page: Page;
  /** Changes what the importer knows beside the panel's state. */
  change(view: Partial<ReceiveState>): Promise<void>;
  /** Shows a state of the panel, in a browser that receives. */
  show(state: PanelState, plan?: PanelPlan): Promise<void>;
  /** The importer's calls so far, each with its parameters. */
  calls(): Promise<readonly (readonly unknown[])[]>;
  /** Refuses each later call with a sentence; null accepts them again. */
  refuse(sentence: string | null): Promise<void>;
}

/** Opens the screens for a first visit. @param before runs in the page before its own script */
export async function openScreens(
  { open }: ReturnType<typeof useBrowser>,
  before?: string,
): Promise<Screens> {
  const html = await buildScreens();
  const page = await open(await servePage(html), before === undefined ? {} : { before });
  const run = (call: string, ...values: readonly unknown[]) =>
    page.evaluate(`__canned.${call}(...${JSON.stringify(values)})`);
  return {
    page,
    change: async (view) => void (await run("change", view)),
    show: async (state, plan) => {
      await run("show", state, plan ?? null);
      await run("change", { stage: "receiving" });
    },
    calls: () => page.evaluate("__canned.calls"),
    refuse: async (sentence) =>
      void (await page.evaluate(`__canned.refusal = ${JSON.stringify(sentence)}`)),
  };
}
