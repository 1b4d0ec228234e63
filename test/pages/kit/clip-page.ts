import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import type { useBrowser } from "../panel/panel-browser.ts";

/** The page's content; `#1000` in its address asks for that many rows. */
const SCRIPT = `
import { render } from "preact";
import { useState } from "preact/hooks";
import { ClipList } from "./clip-list/clip-list.tsx";
import { ColorPicker } from "./clip-list/color-picker.tsx";
import { PlayableWave } from "./clip-list/clip-play.tsx";
import { useClipSelection } from "./clip-list/use-clip-input.ts";
import { Dialog } from "./shell/dialog.tsx";
import { PickList } from "./shell/pick-list.tsx";
import { Shell, StatusLine, useScreen } from "./shell/shell.tsx";

const COLORS = ["#FF94A6", null, "#1A2F96", "#FFFFFF", "#3C3C3C"];
const STATES = [
  null,
  { tone: "good", words: "Imported" },
  { tone: "asks", words: "Loop?" },
  { tone: "bad", words: "Failed" },
  { tone: "busy", words: "Downloading", progress: 0.4 },
];
const rowOf = (index) => ({
  key: "s" + index,
  name: index === 3 ? "" : "Sound with a name " + (index + 1),
  kind: index % 7 === 2 ? null : index % 2 === 0 ? "loop" : "one_shot",
  role: index % 2 === 0 ? "drums" : null,
  color: COLORS[index % COLORS.length],
  tempoBpm: index % 2 === 0 ? 126.5 : null,
  lengthBeats: index % 2 === 0 ? 8 : null,
  durationSeconds: 3.8,
  state: STATES[index % STATES.length],
  silentBecause: index === 4 ? "This file is too large to play here." : null,
});
const listeners = new Set();
const calls = [];
let plays = null;
const audio = {
  outline: async (key) => {
    calls.push("outline " + key);
    if (key === "s6") throw new Error("No waveform.");
    return Array.from({ length: 96 }, (_, n) => Math.abs(Math.sin(n / 3)) * (1 - n / 96));
  },
  toggle: async (key) => {
    calls.push("toggle " + key);
    if (key === "s5") throw new Error("This file can’t be decoded.");
    plays = plays === key ? null : key;
    for (const listener of listeners) listener();
  },
  isPlaying: (key) => plays === key,
  position: (key) => (plays === key ? (performance.now() % 4000) / 4000 : null),
  subscribe: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
};
const count = Number(location.hash.slice(1) || 12);
const packages = Array.from({ length: 100 }, (_, n) => ({ key: "p" + n, title: "Package " + (n + 1) }));

function Page() {
  const [rows, setRows] = useState(() => Array.from({ length: count }, (_, n) => rowOf(n)));
  const [selection, onSelect] = useClipSelection(rows);
  const [ticked, setTicked] = useState(new Set());
  const [muted, setMuted] = useState(new Set());
  const [soloed, setSoloed] = useState(new Set());
  const [picked, onPick] = useState("p0");
  const { screen, show: setScreen, open } = useScreen("list");
  const [color, setColor] = useState(undefined);
  const [isOpen, setOpen] = useState(false);
  const put = (set, keys, isOn) =>
    new Set([...set].filter((key) => !keys.includes(key)).concat(isOn ? keys : []));
  Object.assign(globalThis, { calls, audioToggle: audio.toggle, rowOf, rows, setRows, setScreen, ticked, muted, soloed, selection, setOpen, onSelect, color, setColor });
  const items = packages.map(({ key, title }) => ({
    key,
    spoken: title + ", 5 sounds",
    content: <><b>{title}</b><span class="quiet">5 sounds</span></>,
    button: <button type="button" class="icon" tabIndex={-1} aria-label={"Play " + title}><svg viewBox="0 0 12 12" aria-hidden="true"><path d="M3 1.5v9l7.5-4.5z" /></svg></button>,
  }));
  const chosen = rows.find(({ key }) => key === selection.active);
  return (
    <>
      <Shell
        header={<><h1>Soundferry</h1><button type="button" onClick={() => setOpen(true)}>Settings</button></>}
        status={<StatusLine tone="quiet" text={selection.keys.size + " selected"} />}
        list={{
          label: "Packages",
          content: <PickList label="Packages" items={items} picked={picked} onPick={onPick}
            onOpen={() => setScreen("main")} empty="No packages" />,
        }}
        main={{
          label: "Sounds",
          bar: <h2>{picked}</h2>,
          content: <ClipList label="Sounds" rows={rows} audio={audio} selection={selection} onSelect={onSelect}
            onOpen={(key) => { calls.push("open " + key); open("detail"); }}
            ticks={{ ticked, fixed: new Set(["s1"]), onTick: (keys, isOn) => setTicked((set) => put(set, keys, isOn)) }}
            mixer={{ muted, soloed,
              onMute: (key, isOn) => setMuted((set) => put(set, [key], isOn)),
              onSolo: (key, isOn) => setSoloed((set) => put(set, [key], isOn)) }}
            onRemove={(keys) => setRows((rows) => rows.filter(({ key }) => !keys.includes(key)))} />,
        }}
        detail={{ label: "Details", bar: <button type="button">Do it</button>, content: <>
          {chosen === undefined ? <p>Nothing selected</p> : <PlayableWave row={chosen} index={rows.indexOf(chosen)} audio={audio} />}</> }}
        footer={<button type="button" class="primary">Import</button>}
        screen={screen}
        onBack={setScreen}
      />
      {isOpen && <Dialog title="Settings" onClose={() => setOpen(false)}
        actions={<button type="button">Save</button>}><ColorPicker label="Color" color={color} onPick={setColor} /></Dialog>}
    </>
  );
}
render(<Page />, document.body);
`;

const STYLE = '@import "./style/kit.css";';

let made: Promise<string> | undefined;

/** A page with the clip list in the pages' frame, on canned rows and silent audio, as one HTML text. */
export function buildClipPage(): Promise<string> {
  made ??= bundle();
  return made;
}

async function bundle(): Promise<string> {
  const web = fileURLToPath(new URL("../../../pages/kit", import.meta.url));
  const options = { bundle: true, write: false, logLevel: "silent", charset: "utf8" } as const;
  const [script, style] = await Promise.all([
    build({
      ...options,
      stdin: { contents: SCRIPT, resolveDir: web, loader: "tsx" },
      format: "iife",
      target: ["safari16", "chrome110"],
      jsx: "automatic",
      jsxImportSource: "preact",
    }),
    build({ ...options, stdin: { contents: STYLE, resolveDir: web, loader: "css" } }),
  ]);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" /><title>Clips</title>
    <style>${style.outputFiles[0]?.text ?? ""}</style></head>
    <body><script>${script.outputFiles[0]?.text ?? ""}</script></body></html>`;
}

/** Opens the page of canned rows in a window of a width. */
export async function openClipPage(
  browser: ReturnType<typeof useBrowser>,
  count: number,
  width = 1280,
): Promise<Page> {
  const html = await buildClipPage();
  const page = await browser.open("about:blank");
  await page.setViewportSize({ width, height: 700 });
  await page.route("http://clips.test/**", (route) =>
    route.fulfill({ contentType: "text/html", body: html }),
  );
  await page.goto(`http://clips.test/#${count}`);
  await page.getByRole("grid", { name: "Packages" }).waitFor();
  return page;
}

/** The key, or else the words, of what has the focus. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(
    `document.activeElement.dataset.key ?? document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.slice(0, 40)`,
  );

export const rowOf = (page: Page, number: number) =>
  page.getByRole("row", { name: new RegExp(`^Sound with a name ${number},`) });

export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}
