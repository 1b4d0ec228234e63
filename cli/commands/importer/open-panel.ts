import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type Environment, hasDesktop } from "../../../addon/packages/folder-revealer.ts";
import { findDataFolder } from "../../../addon/settings.ts";
import { answerMalformed } from "../../../addon/control/answer-malformed.ts";
import { MAX_HEADER_BYTES } from "../../../core/limits.ts";
import type { SettingsSource } from "../../../core/settings.ts";
import { checkLock } from "../../doctor/check-lock.ts";
import type { Output } from "../../output.ts";

/** Opens the panel in the browser where somebody sees it; if that fails, prints its address. */
export async function openPanel(panelUrl: string, output: Output): Promise<Opening | undefined> {
  const opener = openerOf(process.platform, process.env);
  if (opener === undefined) return undefined;
  return openBrowser(panelUrl, opener, () =>
    output.say(`The browser couldn't be opened. Open this address in it: ${panelUrl}`),
  );
}

/** Opens the panel of the importer that runs on the data folder; returns false if none does. */
export async function openRunningPanel(flags: SettingsSource, output: Output): Promise<boolean> {
  const dataFolder = findDataFolder({ flags, environment: process.env });
  const { running } = await checkLock(dataFolder);
  if (running === undefined) return false;
  const { pid, port, secret } = running;
  const panelUrl = `http://127.0.0.1:${port}/#${secret}`;
  output.give(
    { panel_url: panelUrl, panel_port: port },
    `Soundferry is already running (process ${pid}). Its panel: ${panelUrl}`,
  );
  using opening = await openPanel(panelUrl, output);
  await opening?.done;
  return true;
}

/** A browser that takes longer to start shows nothing. */
const DOOR_LIMIT_MS = 60_000;

/** A program and the words before the address. */
export type Opener = readonly [program: string, ...words: string[]];

/** The system's way to open an address; undefined where nobody would see it. */
export function openerOf(platform: string, environment: Environment): Opener | undefined {
  if (!hasDesktop(platform, environment)) return undefined;
  if (platform === "linux") return ["xdg-open"];
  if (platform === "darwin") return ["open"];
  // Without a shell, which would read an address's & as its own.
  return platform === "win32" ? ["rundll32", "url.dll,FileProtocolHandler"] : undefined;
}

/** A browser on its way to a page. */
interface Opening extends Disposable {
  /** Resolves when a browser has asked for the page, or can't any more. */
  readonly done: Promise<void>;
}

/**
 * Opens a page with a secret in its address. Other people on this computer can read a program's arguments, so the
 * browser gets an address that leads there once. Disposing closes the way there.
 * @param onFailure called if no browser opens
 */
export async function openBrowser(
  url: string,
  [program, ...words]: Opener,
  onFailure: () => void,
): Promise<Opening> {
  const path = `/${randomBytes(16).toString("base64url")}`;
  const door = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    const isFound = request.method === "GET" && request.url === path;
    response.writeHead(isFound ? 302 : 404, {
      connection: "close",
      ...(isFound && { location: url }),
    });
    response.end();
    if (isFound) door.close();
  });
  answerMalformed(door);
  const done = once(door, "close").then(() => {});
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  const timer = setTimeout(() => door.close(), DOOR_LIMIT_MS);
  void done.then(() => clearTimeout(timer));

  const address = `http://127.0.0.1:${portOf(door)}${path}`;
  const child = spawn(program, [...words, address], { detached: true, stdio: "ignore" });
  const fail = (): void => {
    if (!door.listening) return;
    door.close();
    onFailure();
  };
  child.once("error", fail);
  child.once("exit", (status) => {
    if (status !== 0) fail();
  });
  child.unref();
  return { done, [Symbol.dispose]: () => door.close() };
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  return address.port;
}
