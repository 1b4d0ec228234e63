import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findChromium } from "../../../scripts/pictures/find-chromium.ts";
import { makeMachine, type RunningCommand } from "../../cli/run-soundferry.ts";
import { useBrowser } from "../../pages/panel/panel-browser.ts";
import { CODE } from "./soundferry-at-work.ts";
import { soon } from "../../sim/soon.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** The output with which long-running commands report that they are ready. */
const READY: readonly [command: RegExp, ready: RegExp][] = [
  [/^npm start /, /pairing code, /],
  [/^npx esbuild /, /Local: +http:\S+/],
  [/ relay$/, /the relay is ready[^]*Relay +http:\S+/],
];

/**
 * A command of the page's steps and the output shown below it: `…` matches anything, on its own line any number of
 * lines.
 */
interface Step {
  readonly command: string;
  readonly shown: RegExp;
}

async function readSteps(): Promise<readonly Step[]> {
  const page = await readFile(join(ROOT, "docs/start/first-sound.md"), "utf8");
  const [steps = ""] = page.split("\n## Build it into your app\n");
  const blocks = steps.matchAll(/^```sh\n(.+)\n```(?:\n\n```text\n([^]+?)\n```)?/gm);
  return [...blocks].map(([, command = "", shown = ""]) => ({
    command,
    shown: new RegExp(
      shown
        .split(/^…\n|…/m)
        .map(escaped)
        .join("[^]*?"),
    ),
  }));
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
const printed = ({ stdout, stderr }: { stdout: string; stderr: string }) => stderr + stdout;

const { open } = useBrowser();

async function sendFromPage(url: string, relayUrl: string): Promise<void> {
  const page = await open(url);
  await page.getByLabel("Relay").fill(relayUrl);
  await page.getByLabel("Pairing code").fill(CODE);
  await page.getByRole("button", { name: "Send" }).click();
  await soon(async () => page.getByRole("status").innerText()).toBe("The package is imported.");
}

test("every step of docs/start/first-sound.md does what the page says", async () => {
  const machine = await makeMachine();
  onTestFinished(() => machine[Symbol.asyncDispose]());
  const goingOn: RunningCommand[] = [];
  const outputs = new Map<string, string>();
  let relayUrl = "";

  for (const { command, shown } of await readSteps()) {
    // It would reinstall this very folder's packages; CI starts with it.
    if (command === "npm ci") continue;
    if (command.endsWith(" relay")) for (const running of goingOn) running.interrupt();
    const typed = machine.type(
      command.replace("http://127.0.0.1:4700", relayUrl).replace("127.0.0.1:4702", "127.0.0.1:0"),
    );
    const ready = READY.find(([which]) => which.test(command))?.[1];
    if (ready === undefined) {
      const { status } = await typed.ended;
      expect(status, `${command}\n${printed(typed)}`).toBe(0);
    } else {
      await typed.until((texts) => ready.test(printed(texts)));
      goingOn.push(typed);
    }
    expect(printed(typed), command).toMatch(shown);
    outputs.set(command, printed(typed));
    relayUrl = /^ +Relay +(\S+)$/m.exec(typed.stdout)?.[1] ?? relayUrl;
    const pageUrl = /Local: +(\S+)/.exec(printed(typed))?.[1];
    if (pageUrl !== undefined && findChromium() !== undefined) {
      await sendFromPage(pageUrl, relayUrl);
    }
  }

  expect(outputs.size).toBe(7);
  const folders = outputs.get("ls ~/Music/Soundferry");
  expect(folders).toMatch(/^From Node\n/m);
  expect(folders).toMatch(/^From the shell\nFrom the shell 2\n/m);
  if (findChromium() !== undefined) expect(folders).toMatch(/^From a web page\n/m);
});

test("docs/start/first-sound.md starts as CI does, and its code is a valid pairing code", async () => {
  const [first, second] = await readSteps();
  expect(first?.command).toBe("npm ci");
  expect(second?.command).toContain(`--code "${CODE}"`);
  expect(await readFile(join(ROOT, ".ci/run"), "utf8")).toMatch(/^npm ci$/m);
});

test.each(["shell/send.sh", "node/send-loop.mjs", "web/index.html"])(
  "docs/examples/%s has fewer than 60 lines",
  async (example) => {
    const text = await readFile(join(ROOT, "docs", "examples", example), "utf8");
    expect(text.trimEnd().split("\n").length).toBeLessThan(60);
  },
);
