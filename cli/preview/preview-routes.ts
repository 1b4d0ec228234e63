import {
  answerPage,
  answerBytes,
  answerJson,
  hangUpSignal,
  STRETCH_ROUTE,
  streamLines,
} from "../../addon/control/control-answer.ts";
import {
  type ControlCall,
  ControlError,
  readObject,
  type Route,
} from "../../addon/control/control-call.ts";
import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import type { Timers } from "../../addon/timers.ts";
import {
  type EditRequest,
  type FieldChange,
  PREVIEW_CALLS,
} from "../../core/protocol/preview-api.ts";
import { isJsonObject, type JsonObject } from "../../core/text/json-object.ts";
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
      handle: async (call) => answerPage(call, await page(), { canStretch: true }),
    },
    STRETCH_ROUTE,
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
        await session.accept(key, readRevision(await readObject(call)));
        answerJson(call, 200, {});
      },
    },
    {
      method: "POST",
      path: PREVIEW_CALLS.hear,
      handle: async (call) => {
        session.hearFirst(call.parts[0] ?? "");
        answerJson(call, 200, {});
      },
    },
    {
      method: "PATCH",
      path: PREVIEW_CALLS.manifest,
      handle: async (call) => {
        const [key = ""] = call.parts;
        const request = readEdit(await readObject(call));
        answerJson(call, 200, { revision: await session.edit(key, request) });
      },
    },
    {
      method: "GET",
      path: PREVIEW_CALLS.diff,
      handle: async (call) => answerJson(call, 200, await session.diff(call.parts[0] ?? "")),
    },
    {
      method: "GET",
      path: PREVIEW_CALLS.diffs,
      handle: async (call) => answerJson(call, 200, await session.diff()),
    },
  ];
}

/** @throws {ControlError} 400 */
function readEdit(body: JsonObject): EditRequest {
  const revision = readRevision(body);
  const { changes } = body;
  if (!Array.isArray(changes)) throw new ControlError(400, "changes must be a list.");
  return { revision, changes: changes.map(readChange) };
}

/** @throws {ControlError} 400 */
function readRevision({ revision }: JsonObject): string {
  if (typeof revision !== "string") throw new ControlError(400, "revision must be a string.");
  return revision;
}

function readChange(change: unknown): FieldChange {
  const { soundId, field, value } = isJsonObject(change) ? change : {};
  const isOfSound = soundId === null || typeof soundId === "string";
  if (!isOfSound || typeof field !== "string" || value === undefined) {
    throw new ControlError(400, "Each change must have a soundId, a field and a value.");
  }
  return { soundId, field, value };
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
