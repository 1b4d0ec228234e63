import { createInterface } from "node:readline/promises";
import { resolve } from "node:path";
import type { Command } from "commander";
import { liveCheckerOf } from "../../../addon/live-check/live-checker-of.ts";
import { writeFileAtomically } from "../../../addon/disk/atomic-file.ts";
import { importerSettings } from "../../../addon/settings.ts";
import { formatStays, type LiveCheckAsk } from "../../../core/protocol/live-report.ts";
import { inEnglish } from "../../../core/messages/translate.ts";
import { readSettings } from "../../../core/settings.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { outputFor } from "../../output.ts";
import { flagsGiven } from "../../setting-flags.ts";
import { stopSignal } from "../../stop-signal.ts";
import { LIVE_SETTINGS } from "./live-settings.ts";

export const REPORT_FILE = "soundferry-live-report.json";
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
