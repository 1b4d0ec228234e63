import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, relative, sep } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Environment } from "../../../addon/packages/folder-revealer.ts";
import { escapeHtml } from "../../../core/text/escape-html.ts";

const NAME = /^soundferry-panel-[\w-]{22}\.html$/;
/** Age from which a file is left over: no importer keeps one longer than a minute. */
const LEFT_OVER_MS = 120_000;

/** The place for a file that leads a browser to the panel. */
export interface PanelFileHome {
  readonly platform: string;
  /** The user's home folder. */
  readonly home: string;
  readonly environment: Environment;
}

export function thisHome(): PanelFileHome {
  return { platform: process.platform, home: homedir(), environment: process.env };
}

/** A file that only this user can read, and that leads the browser to an address (rule N29). */
export interface PanelFile {
  readonly path: string;
  /** Removes the file; it may be gone. */
  remove(): Promise<void>;
}

/**
 * Writes a file that leads to an address with a one-time key. Its name is new, so a file or link that somebody has put
 * there is neither followed nor changed.
 * @returns undefined where the file can't be kept from other users, or can't be written
 */
export async function writePanelFile(
  address: string,
  place: PanelFileHome = thisHome(),
): Promise<PanelFile | undefined> {
  const name = `soundferry-panel-${randomBytes(16).toString("base64url")}.html`;
  for (const folder of await panelFileFolders(place)) {
    const path = join(folder, name);
    const remove = () => rm(path, { force: true });
    try {
      if (await writePrivately(path, redirectTo(address), place.platform)) return { path, remove };
      await remove();
    } catch {
      // The next folder may take it.
    }
  }
  return undefined;
}

/** Removes files that killed importers have left. */
export async function clearPanelFiles(place: PanelFileHome = thisHome()): Promise<void> {
  for (const folder of await panelFileFolders(place)) {
    const names = await readdir(folder).catch(() => []);
    for (const path of names.filter((name) => NAME.test(name)).map((name) => join(folder, name))) {
      const found = await lstat(path).catch(() => undefined);
      const isOld = found !== undefined && Date.now() - found.mtimeMs > LEFT_OVER_MS;
      // A link is removed, not followed.
      if (isOld && !found.isDirectory()) await rm(path, { force: true }).catch(() => undefined);
    }
  }
}

/**
 * Returns the folders for the file, the best first. Browsers in a Snap or Flatpak can't read hidden folders or the folder
 * for temporary files. On Linux they can read Downloads, which macOS would ask the person about.
 */
export async function panelFileFolders(place: PanelFileHome): Promise<readonly string[]> {
  const { platform, home } = place;
  const downloads = platform === "linux" ? await downloadsOf(place) : undefined;
  return downloads === undefined ? [home] : [downloads, home];
}

async function downloadsOf({ home, environment }: PanelFileHome): Promise<string | undefined> {
  const settings = join(environment["XDG_CONFIG_HOME"] || join(home, ".config"), "user-dirs.dirs");
  const text = await readFile(settings, "utf8").catch(() => "");
  const written = /^XDG_DOWNLOAD_DIR="([^"]*)"/m.exec(text)?.[1] ?? "$HOME/Downloads";
  const folder = written.replace(/^\$HOME(?=\/|$)/, () => home);
  if (!isAbsolute(folder) || !isVisibleInside(folder, home)) return undefined;
  const found = await stat(folder).catch(() => undefined);
  const isOwn = found?.isDirectory() === true && found.uid === process.getuid?.();
  return isOwn ? folder : undefined;
}

function isVisibleInside(folder: string, home: string): boolean {
  const parts = relative(home, folder).split(sep);
  return parts.every((part) => part !== "" && !part.startsWith("."));
}

/** Writes a new file; returns false where the file system keeps no modes, so that others can read it. */
async function writePrivately(path: string, text: string, platform: string): Promise<boolean> {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  const flags = O_CREAT | O_EXCL | O_WRONLY | (constants.O_NOFOLLOW ?? 0);
  const file = await open(path, flags, 0o600);
  try {
    // On Windows, the folders of a user are the user's alone.
    const isPrivate = platform === "win32" || ((await file.stat()).mode & 0o077) === 0;
    if (isPrivate) await file.writeFile(text);
    return isPrivate;
  } finally {
    await file.close();
  }
}

/** Replaces itself in the browser's history, and tells the panel nothing about where it is. */
function redirectTo(address: string): string {
  const script = JSON.stringify(address).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>Soundferry</title>
<script>location.replace(${script});</script>
<p><a rel="noreferrer" href="${escapeHtml(address)}">Soundferry</a></p>
</html>
`;
}

/** Resolves after the given milliseconds, or at once when the signal aborts. */
export async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { ref: false, signal }).catch(() => undefined);
}
