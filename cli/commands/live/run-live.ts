import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { writeFileAtomically } from "../../../addon/disk/atomic-file.ts";
import { buildLiveChecker } from "../../../addon/live-check/live-checker-of.ts";
import type { LiveStatus } from "../../../addon/live-setup/live-script.ts";
import type { ImporterSettings } from "../../../addon/settings.ts";
import { inEnglish } from "../../../core/messages/translate.ts";
import { type LiveCheckAsk, formatStays } from "../../../core/protocol/live-report.ts";
import { countOf } from "../../../core/text/count-of.ts";
import type { SettingsSource } from "../../../core/settings.ts";
import { outputFor } from "../../output.ts";
import { stopSignal } from "../../stop-signal.ts";
import { formatLive } from "../../../addon/hosts/live/remote-script/live-version.ts";
import { readSettingsUntouched } from "../importer/importer-options.ts";
import {
  findLog,
  formatInstalled,
  formatRemoved,
  formatStatus,
  openLiveScript,
} from "./live-script.ts";

type LiveSettings = Pick<ImporterSettings, "dataFolder" | "liveLibrary">;
interface LiveFlags {
  readonly json?: boolean;
}

export async function runInstall(settings: LiveSettings, flags: LiveFlags): Promise<void> {
  const { path, version, was, kept } = await openLiveScript(settings).install();
  const text = formatInstalled({ path, version, was, kept });
  outputFor(flags).give({ script: path, version, was, kept }, text);
}

export async function runUninstall(settings: LiveSettings, flags: LiveFlags): Promise<void> {
  const removal = await openLiveScript(settings).uninstall();
  const { path, isRemoved, kept } = removal;
  outputFor(flags).give({ script: path, removed: isRemoved, kept }, formatRemoved(removal));
}

export async function runStatus(settings: LiveSettings, flags: LiveFlags): Promise<void> {
  const status = await openLiveScript(settings).status();
  outputFor(flags).give(statusJson(status), formatStatus(status));
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

/**
 * Checks the running Live and writes its report (rule H21).
 * @param given the flags for settings: the check's own sounds are below the importer's sounds folder
 */
export async function runLiveCheck(
  { dataFolder }: LiveSettings,
  flags: LiveFlags & { readonly output?: string },
  given: SettingsSource,
): Promise<void> {
  const output = outputFor(flags);
  const { soundsFolder } = await readSettingsUntouched(given);
  const check = buildLiveChecker({ soundsFolder, folders: [dataFolder], findLog });
  const signal = stopSignal();
  const isAsking = process.stdin.isTTY && process.stderr.isTTY && flags.json !== true;
  const report = await check({
    signal,
    ask: isAsking ? (ask) => askInTerminal(ask, signal) : async () => null,
    onProgress: (done, total) => output.say(`${done} of ${total} questions answered`),
  });
  const file = resolve(flags.output ?? REPORT_FILE);
  await writeFileAtomically(file, `${JSON.stringify(report, null, 1)}\n`);
  const answered = report.checks.filter(({ facts }) => facts !== null).length;
  const { live, edition, stays } = report;
  const kept = stays === 0 ? [] : [formatStays(inEnglish, stays)];
  output.give(
    { report: file, live, edition, answered, stays },
    [
      `${live === null ? "Live" : formatLive({ live, edition })} was checked: ${answered} of ${countOf(report.checks.length, "question")} answered.`,
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
