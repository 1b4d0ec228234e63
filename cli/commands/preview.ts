import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { countOf } from "../../core/text/count-of.ts";
import { VERSION } from "../../core/version.ts";
import { PROGRAM_FORM } from "../../program/own-files.ts";
import { commandLine, newCommand, withJson } from "../command.ts";
import { WrongUse } from "../fail.ts";
import { formatFacts } from "../format.ts";
import { outputFor } from "../output.ts";
import { stopSignal, untilAborted } from "../stop-signal.ts";
import { readSettingsUntouched } from "./importer/importer-options.ts";

interface PreviewFlags {
  readonly watch?: boolean;
  readonly port: string;
  readonly json?: boolean;
}

/** `soundferry preview`: shows and plays in a browser what packages become (rules K2, V1). */
export function previewCommand(): Command {
  const command = newCommand(
    "preview",
    "Serves a page that shows and plays what package folders become in the host, and runs until stopped " +
      "(Ctrl-C). With --json it prints one line with the page's address, once it is ready.",
  )
    .argument(
      "[folder...]",
      "package folders, or folders of them; if omitted, the importer's inbox, or in a checkout its fixtures",
    )
    .option("--watch", "show every edit as soon as it is saved")
    .option("--port <port>", "port of the page on this computer; 0 picks a free one", "0");
  return withJson(command).action(runPreview);
}

async function runPreview(given: readonly string[], flags: PreviewFlags): Promise<void> {
  const port = parsePort(flags.port);
  const folders = (given.length > 0 ? given : await defaultFolders()).map((folder) =>
    resolve(folder),
  );
  const output = outputFor({ ...flags, onOneLine: true });
  const stop = stopSignal();
  const [{ servePreview }, { previewPage }] = await Promise.all([
    import("../preview/serve-preview.ts"),
    import("../pages.ts"),
  ]);
  const isWatching = flags.watch === true;
  await using preview = await servePreview({
    folders,
    isWatching,
    port,
    page: previewPage,
    startFolder: process.cwd(),
  });
  const { url, state } = preview;
  const packages = state.scenes.filter((scene) => !("error" in scene)).length;
  output.give(
    { url, port: preview.port, folders, watching: isWatching },
    formatFacts(`Soundferry ${VERSION}: the preview is ready. Ctrl-C stops it.`, [
      ["Page", url],
      ["Shows", countOf(packages, "package")],
      ["Edits", isWatching ? "shown as soon as they are saved" : "shown after a reload"],
    ]),
  );
  for (const scene of state.scenes) {
    if ("error" in scene) output.say(`${scene.folder}: ${scene.error}`);
  }
  if (state.trouble !== null) output.say(state.trouble);
  await untilAborted(stop);
  output.say("Stopping the preview.");
}

/** A checkout has fixtures; elsewhere the packages on this computer are those in the inbox. */
async function defaultFolders(): Promise<readonly string[]> {
  if (PROGRAM_FORM === "checkout") return [join(import.meta.dirname, "../../fixtures/packages")];
  const { inboxFolder } = await readSettingsUntouched({});
  if (existsSync(inboxFolder)) return [inboxFolder];
  throw new WrongUse(
    `Say which folders to preview, such as: ${commandLine(["preview", "my-package"])}`,
  );
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new WrongUse("--port must be a number from 0 to 65535.");
}
