import { answerPage } from "../../addon/control/answer-page.ts";
import { answerBytes, answerJson, hangUpSignal } from "../../addon/control/control-answer.ts";
import {
  type ControlCall,
  ControlError,
  readObject,
  type Route,
} from "../../addon/control/control-call.ts";
import { streamLines } from "../../addon/control/stream-lines.ts";
import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import type { Timers } from "../../addon/concurrency/timers.ts";
import { PREVIEW_CALLS } from "../../core/protocol/preview-api.ts";
import type { PreviewSession } from "./preview-session.ts";

export interface PreviewOptions {
  /** Returns the page's HTML. */
  readonly page: () => Promise<string>;
  readonly timers: Timers;
}

/** The routes of the preview's server. */
export function previewRoutes(
  session: PreviewSession,
  { page, timers }: PreviewOptions,
): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/",
      isOpen: true,
      handle: async (call) => answerPage(call, await page()),
    },
    {
      method: "GET",
      path: PREVIEW_CALLS.state,
      handle: async (call) => followSession(call, session, timers),
    },
    {
      method: "GET",
      path: PREVIEW_CALLS.sound,
      handle: (call) => sendSound(call, session),
    },
    {
      method: "POST",
      path: PREVIEW_CALLS.accept,
      handle: async (call) => {
        const [key = ""] = call.parts;
        const { revision } = await readObject(call);
        if (typeof revision !== "string") throw new ControlError(400, "revision must be a string.");
        await session.accept(key, revision);
        answerJson(call, 200, {});
      },
    },
  ];
}

function followSession(call: ControlCall, session: PreviewSession, timers: Timers): void {
  const source = {
    read: () => session.state,
    subscribe: (listener: () => void) => session.subscribe(listener),
  };
  streamLines(call, source, { timers });
  const { isWatching, trouble } = session.state;
  // Without a working watch, only this shows every edit.
  if (!isWatching || trouble !== null) void session.readAll();
}

async function sendSound(call: ControlCall, session: PreviewSession): Promise<void> {
  const [key = "", soundId = ""] = call.parts;
  const previewed = session.folderOf(key);
  if (!("pkg" in previewed)) throw new ControlError(404, previewed.scene.error);
  const { scene, pkg } = previewed;
  const track = scene.tracks.find(({ id }) => id === soundId);
  const sound = pkg.local.manifest.items.find(({ id }) => id === soundId);
  if (track === undefined || sound === undefined) {
    throw new ControlError(404, "There is no such sound in the package.");
  }
  if ("error" in track) throw new ControlError(404, track.error);
  try {
    const signal = hangUpSignal(call);
    const { fileBytes, body } = await pkg.local.open(sound, { startByte: 0, signal });
    answerBytes(call, { type: "audio/wav", sizeBytes: fileBytes }, body);
  } catch (error) {
    if (!(error instanceof LocalPackageError)) throw error;
    throw new ControlError(404, error.message, { cause: error });
  }
}
