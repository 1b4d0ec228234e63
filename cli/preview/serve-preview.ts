import { randomBytes } from "node:crypto";
import { REAL_TIMERS } from "../../addon/timers.ts";
import { serveControl } from "../../addon/control/control-server.ts";
import type { PreviewState } from "../../core/protocol/preview-api.ts";
import { hearFile } from "../layout/hear-package.ts";
import { previewRoutes } from "./preview-routes.ts";
import { PreviewSession } from "./preview-session.ts";
import { realRoot } from "./scene-folders.ts";
import { type FoldersListener, watchFolders } from "./watch-folders.ts";

export interface ServePreviewOptions {
  /** Package folders, and libraries of them. */
  readonly folders: readonly string[];
  readonly isWatching: boolean;
  /** The port; 0 picks a free one. */
  readonly port: number;
  /** Returns the page's HTML. */
  readonly page: () => Promise<string>;
  /** Absolute; folders inside it are shown relative to it. */
  readonly startFolder: string;
  /** Reads the audio of a sound. */
  readonly hear?: typeof hearFile;
}

/** A preview, served until it is disposed. */
export interface RunningPreview extends AsyncDisposable {
  readonly port: number;
  /** The secret that every call requires (rule N1); new at each start. */
  readonly secret: string;
  /** The page's address, including the secret. */
  readonly url: string;
  readonly state: PreviewState;
}

/**
 * Reads package folders and serves their preview on this computer (rule V1). Resolves once every folder is read (not its
 * audio) and, with `isWatching`, is watched.
 * @throws {ControlError} if the port can't be used
 */
export async function servePreview({
  folders,
  isWatching,
  port,
  page,
  startFolder,
  hear = hearFile,
}: ServePreviewOptions): Promise<RunningPreview> {
  const roots = await Promise.all(folders.map(realRoot));
  const session = new PreviewSession({ roots, startFolder, isWatching, hear });
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
      const parts = [session, watch].map((part) => part?.[Symbol.asyncDispose]());
      await Promise.all([server.close(), ...parts]);
    },
  };
}

function listenerOf(session: PreviewSession): FoldersListener {
  return {
    onChange: (paths) => void session.readChanged(paths),
    onTrouble: (sentence) => session.reportTrouble(sentence),
  };
}
