import type { Command } from "commander";
import type { LiveScript, LiveStatus } from "../../../addon/live-setup/live-script.ts";
import { readSettings } from "../../../core/settings.ts";
import { type Output, outputFor } from "../../output.ts";
import { flagsGiven } from "../../setting-flags.ts";
import { formatInstalled, formatRemoved, formatStatus, openLiveScript } from "./live-script.ts";
import { LIVE_SETTINGS } from "./live-settings.ts";
import { createInterface } from "node:readline/promises";
import { resolve } from "node:path";
import { liveCheckerOf } from "../../../addon/live-check/live-checker-of.ts";
import { writeFileAtomically } from "../../../addon/disk/atomic-file.ts";
import { importerSettings } from "../../../addon/settings.ts";
import type { LiveCheckAsk } from "../../../core/protocol/live-report.ts";
import { inEnglish } from "../../../core/messages/translate.ts";
import { formatStays } from "../../../core/text/format-stays.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { stopSignal } from "../../stop-signal.ts";

export async function runInstall(command: Command): Promise<void> {
  const { script, output } = open(command);
  const { path, version, was, kept } = await script.install();
  output.give({ script: path, version, was, kept }, formatInstalled({ path, version, was, kept }));
}

export async function runUninstall(command: Command): Promise<void> {
  const { script, output } = open(command);
  const removal = await script.uninstall();
  const { path, isRemoved, kept } = removal;
  output.give({ script: path, removed: isRemoved, kept }, formatRemoved(removal));
}

export async function runStatus(command: Command): Promise<void> {
  const { script, output } = open(command);
  const status = await script.status();
  output.give(statusJson(status), formatStatus(status));
}

function open(command: Command): { readonly script: LiveScript; readonly output: Output } {
  const given = flagsGiven(command, LIVE_SETTINGS);
  const settings = readSettings(LIVE_SETTINGS, [given, process.env]);
  return { script: openLiveScript(settings), output: outputFor(command.optsWithGlobals()) };
}

/** Returns the value that `live status --json` prints (rule K5). */
function statusJson({ library, script, surface, loaded }: LiveStatus): object {
  const answer = surface.kind === "answers" ? surface : null;
  return {
    library: library.kind === "found" ? library.path : null,
    script: script?.path ?? null,
    state: script?.state ?? null,
    version: script?.version ?? null,
    kept: script?.others ?? [],
    answers: answer !== null,
    loaded_version: loaded,
    live: answer?.live ?? null,
    edition: answer?.edition ?? null,
  };
}

const REPORT_FILE = "soundferry-live-report.json";
const { soundsFolder } = importerSettings();
const SETTINGS = { ...LIVE_SETTINGS, soundsFolder };

/** Checks the running Live and writes its report (rule H21). */
export async function runCheckCommand(
  { output: path = REPORT_FILE }: { readonly output?: string },
  command: Command,
): Promise<void> {
  const options = command.optsWithGlobals<{ json?: boolean }>();
  const output = outputFor(options);
  const given = flagsGiven(command, LIVE_SETTINGS);
  const settings = readSettings(SETTINGS, [given, process.env]);
  const check = liveCheckerOf({ ...settings, folders: [settings.dataFolder] });
  const signal = stopSignal();
  const isAsking = process.stdin.isTTY && process.stderr.isTTY && options.json !== true;
  const report = await check({
    signal,
    ask: isAsking ? (ask) => askInTerminal(ask, signal) : async () => null,
    onProgress: (done, total) => output.say(`${done} of ${total} questions answered`),
  });
  const file = resolve(path);
  await writeFileAtomically(file, `${JSON.stringify(report, null, 1)}\n`);
  const answered = report.checks.filter(({ facts }) => facts !== null).length;
  const { live, edition, stays } = report;
  const kept = stays === 0 ? [] : [formatStays(inEnglish, stays)];
  output.give(
    { report: file, live, edition, answered, stays },
    [
      `Live ${live} ${edition} was checked: ${answered} of ${countOf(report.checks.length, "question")} answered.`,
      ...kept,
      `The report: ${file}`,
    ].join("\n"),
  );
}

async function askInTerminal(
  ask: LiveCheckAsk,
  signal: AbortSignal,
): Promise<number | true | null> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const keys = ask.answer === "done" ? "Enter when done, s to skip" : "a number, s to skip";
    const typed = (await terminal.question(`${ask.text}\n(${keys}) `, { signal })).trim();
    if (typed.toLowerCase() === "s") return null;
    if (ask.answer === "done") return true;
    return /^\d+$/.test(typed) ? Number(typed) : null;
  } finally {
    terminal.close();
  }
}
