import { randomBytes } from "node:crypto";
import { serveControl } from "../../addon/control/control-server.ts";
import { REAL_TIMERS } from "../../addon/concurrency/timers.ts";
import type { PreviewState } from "../../core/protocol/preview-api.ts";
import { realRoot } from "./find-scene-folders.ts";
import { previewRoutes } from "./preview-routes.ts";
import { PreviewSession } from "./preview-session.ts";
import { type FoldersListener, watchFolders } from "./watch-folders.ts";

export interface ServePreviewOptions {
  /** Package folders, and libraries of them. */
  readonly folders: readonly string[];
  readonly isWatching: boolean;
  /** 0 takes a free one. */
  readonly port: number;
  /** Gives the page as one HTML text. */
  readonly page: () => Promise<string>;
  /** Absolute; folders beneath it are shown relative to it. */
  readonly startFolder: string;
}

/** A preview that is served until it is disposed of. */
export interface RunningPreview extends AsyncDisposable {
  readonly port: number;
  /** What calls must show (rule N1); another at each start. */
  readonly secret: string;
  /** The page's whole address, with the secret in it. */
  readonly url: string;
  /** As the page shows it now. */
  readonly state: PreviewState;
}

/**
 * Reads package folders and serves their preview on this computer (rule V1). Resolves when every folder is read and,
 * with `isWatching`, every later edit will be noticed.
 * @throws {ControlError} when the port can't be had
 */
export async function servePreview({
  folders,
  isWatching,
  port,
  page,
  startFolder,
}: ServePreviewOptions): Promise<RunningPreview> {
  const roots = await Promise.all(folders.map(realRoot));
  const session = new PreviewSession({ roots, startFolder, isWatching });
  const secret = randomBytes(32).toString("base64url");
  const server = await serveControl(previewRoutes(session, { page, timers: REAL_TIMERS }), {
    port,
    portAdvice: "Choose another one with --port, or leave it out.",
    secret,
  });
  const watch = isWatching ? await watchFolders(roots, listenerOf(session)) : undefined;
  await session.readAll();
  return {
    port: server.port,
    secret,
    url: `http://127.0.0.1:${server.port}/#${secret}`,
    get state() {
      return session.state;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([server.close(), watch?.[Symbol.asyncDispose]()]);
    },
  };
}

function listenerOf(session: PreviewSession): FoldersListener {
  return {
    onChange: (paths) => void session.readChanged(paths),
    onTrouble: (sentence) => session.tellTrouble(sentence),
  };
}
