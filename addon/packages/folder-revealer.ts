import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import type { Revealer } from "../../core/protocol/panel-api.ts";

/** Time after which a program that hasn't failed counts as showing the folder. */
const FAILURE_LIMIT_MS = 3000;

/** The system's program for files, such as Finder. */
export interface FolderRevealer {
  readonly kind: Revealer;
  /** Shows a folder; rejects with a sentence when the program can't be started. */
  reveal(folder: string): Promise<void>;
}

/** A program with its arguments. */
export interface RevealCall {
  readonly program: string;
  readonly words: readonly string[];
  /** True for Windows' own program, which parses its arguments itself. */
  readonly isVerbatim: boolean;
  /** True if the exit status says whether it worked. */
  readonly tellsFailure: boolean;
}

/** Returns the program that shows folders on this system; undefined where nobody would see it. */
export function folderRevealerOf(
  platform: string,
  environment: Environment,
): FolderRevealer | undefined {
  const kind = hasDesktop(platform, environment) ? KINDS.get(platform) : undefined;
  if (kind === undefined) return undefined;
  return { kind, reveal: (folder) => run(revealCallOf(kind, folder)) };
}

const KINDS: ReadonlyMap<string, Revealer> = new Map([
  ["darwin", "finder"],
  ["win32", "explorer"],
  ["linux", "folder"],
]);

/** Returns the call that shows a folder. @param folder an absolute path */
export function revealCallOf(kind: Revealer, folder: string): RevealCall {
  switch (kind) {
    case "finder":
      return { program: "open", words: ["-R", folder], isVerbatim: false, tellsFailure: true };
    case "explorer":
      // It exits with 1 when all is well. A path there can't contain a quote.
      return {
        program: "explorer.exe",
        words: [`/select,"${folder}"`],
        isVerbatim: true,
        tellsFailure: false,
      };
    case "folder":
      return { program: "xdg-open", words: [folder], isVerbatim: false, tellsFailure: true };
  }
}

/** Runs a call without a shell. @throws {Error} with a sentence when it fails */
export async function run(call: RevealCall): Promise<void> {
  const waited = new AbortController();
  const limit = setTimeout(FAILURE_LIMIT_MS, [0], { ref: false, signal: waited.signal });
  // Not awaited once the program has ended.
  limit.catch(() => undefined);
  try {
    const [status] = await Promise.race([started(call), limit]);
    if (call.tellsFailure && status !== 0) throw new Error(`It exited with ${String(status)}.`);
  } catch (cause) {
    throw new Error("The folder couldn't be shown.", { cause });
  } finally {
    waited.abort();
  }
}

/** Starts the program and resolves with its exit status; rejects when it can't be started. */
async function started({ program, words, isVerbatim }: RevealCall): Promise<readonly unknown[]> {
  const child = spawn(program, words, {
    detached: true,
    stdio: "ignore",
    windowsVerbatimArguments: isVerbatim,
  });
  child.unref();
  return once(child, "exit");
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns whether somebody sits at this computer and sees the windows that a program opens. */
export function hasDesktop(platform: string, environment: Environment): boolean {
  const has = (name: string) => (environment[name] ?? "") !== "";
  if (has("CI")) return false;
  if (platform === "linux") return has("DISPLAY") || has("WAYLAND_DISPLAY");
  return !has("SSH_CONNECTION") && (platform === "darwin" || platform === "win32");
}
