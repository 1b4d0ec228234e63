import { homedir } from "node:os";
import { lookAtControlSurface } from "../../../addon/hosts/live/remote-script/find-control-surface.ts";
import { findLiveLog, type LiveMachine } from "../../../addon/live-setup/find-library.ts";
import type { Installation, Removal } from "../../../addon/live-setup/install-script.ts";
import { LiveScript, type LiveStatus } from "../../../addon/live-setup/live-script.ts";
import { stepsOf } from "../../../addon/live-setup/live-steps.ts";
import type { ImporterSettings } from "../../../addon/settings.ts";
import { commandLine } from "../../command.ts";

/** Returns the path of the log of the Live that ran last on this computer, if there is one. */
export function findLog(): Promise<string | undefined> {
  return findLiveLog(thisMachine());
}

function thisMachine(): LiveMachine {
  return { platform: process.platform, home: homedir(), environment: process.env };
}

/** Opens the control surface's script of this computer's Live. */
export function openLiveScript({
  dataFolder,
  liveLibrary,
}: Pick<ImporterSettings, "dataFolder" | "liveLibrary">): LiveScript {
  return new LiveScript({
    machine: thisMachine(),
    givenLibrary: liveLibrary,
    dataFolder,
    lookAtControlSurface,
  });
}

/** Formats the result of an installation, with the next steps in Live. */
export function formatInstalled({ path, version, was, kept }: Installation): string {
  const replaced: Partial<Record<Installation["was"], string>> = {
    old: "It replaces an older copy.",
    changed: "It replaces a copy that was changed by hand.",
    current: "It was there already.",
  };
  return [
    [`The Soundferry control surface ${version} is installed: ${path}`, replaced[was]]
      .filter(Boolean)
      .join("\n"),
    ...formatKept(kept),
    "",
    "Now in Live:",
    "",
    "  1. Quit Live and start it again. It finds new scripts only when it starts.",
    "  2. Open Settings → Link, Tempo & MIDI.",
    "  3. Choose Soundferry as a Control Surface. Leave its Input and Output at None.",
    "",
    `To see whether it answers: ${commandLine(["live", "status"])}`,
  ].join("\n");
}

export function formatRemoved({ path, isRemoved, kept }: Removal): string {
  if (!isRemoved) return "The Soundferry control surface isn't installed.";
  const headline = `The Soundferry control surface was removed from ${path}. Live stops using it when it is restarted.`;
  return [headline, ...formatKept(kept)].join("\n");
}

export function formatStatus(status: LiveStatus): string {
  const lines = stepsOf(status).map(({ state, sentence, advice }) => {
    const line = `${{ done: "done ", later: "to do", wrong: "wrong" }[state]}  ${sentence}`;
    return advice === undefined ? line : `${line}\n       → ${formatAdvice(advice)}`;
  });
  if (lines.length === 0) return formatNoLive();
  return [...lines, ...formatKept(status.script?.others ?? [])].join("\n");
}

/** Formats advice; where a command does the step, it is the command's line. */
export function formatAdvice(advice: string): string {
  if (advice !== "install") return advice;
  return `Install it with: ${commandLine(["live", "install"])}`;
}

function formatNoLive(): string {
  return "Ableton Live wasn't found on this computer. Set SOUNDFERRY_LIVE_LIBRARY if its User Library is somewhere else.";
}

function formatKept(kept: readonly string[]): readonly string[] {
  return kept.length === 0 ? [] : [`Other files there stay as they are: ${kept.join(", ")}`];
}
