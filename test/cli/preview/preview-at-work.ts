import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { type RunningPreview, servePreview } from "../../../cli/preview/serve-preview.ts";
import {
  PREVIEW_CALLS,
  type PreviewReadScene,
  type PreviewScene,
  type PreviewState,
} from "../../../core/protocol/preview-api.ts";
import { type Answer, ask, type Asked } from "../../addon/control/ask.ts";
import { writeLocalPackage } from "../../addon/importer-at-work.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { until } from "../../sim/until.ts";

export const PAGE = "<!doctype html><title>Preview</title>";

export interface PreviewAtWork extends RunningPreview {
  /** Calls with the secret by default. */
  ask(asked: Asked): Promise<Answer>;
}

/** A preview, closed at the end of the test. */
export async function previewOf(
  folders: readonly string[],
  { isWatching = false, startFolder = "/" } = {},
): Promise<PreviewAtWork> {
  const page = async () => PAGE;
  const preview = await servePreview({ folders, isWatching, port: 0, page, startFolder });
  onTestFinished(() => preview[Symbol.asyncDispose]());
  const { port, secret } = preview;
  return Object.assign(preview, {
    ask: (asked: Asked) =>
      ask(port, { ...asked, headers: { "x-soundferry-secret": secret, ...asked.headers } }),
  });
}

/** A page that follows a preview. */
export interface Follower {
  /** Every line so far. */
  readonly states: readonly PreviewState[];
  readonly scenes: readonly PreviewScene[];
  /** Resolves once the newest scenes match. */
  sees(fits: (scenes: readonly PreviewScene[]) => boolean): Promise<void>;
  hangUp(): void;
}

export async function follow({
  port,
  secret,
}: Pick<RunningPreview, "port" | "secret">): Promise<Follower> {
  const headers = { "x-soundferry-secret": secret };
  const calling = request({ host: "127.0.0.1", port, path: PREVIEW_CALLS.state, headers }).end();
  const [answer]: IncomingMessage[] = await once(calling, "response");
  if (answer === undefined) throw new Error("There was no answer.");
  const states: PreviewState[] = [];
  const lines = createInterface({ input: answer });
  lines.on("line", (line) => states.push(JSON.parse(line)));
  // It ends with the server, in the middle of the answer.
  lines.on("error", () => {});
  await until(() => states.length > 0);
  const newest = () => states.at(-1)?.scenes ?? [];
  return {
    states,
    get scenes() {
      return newest();
    },
    sees: (fits) => until(() => fits(newest())),
    hangUp: () => answer.destroy(),
  };
}

/** Resolves once the sounds of all scenes have been read. */
export function allHeard(preview: Pick<RunningPreview, "state">): Promise<void> {
  return until(() =>
    preview.state.scenes.every((scene) => "error" in scene || scene.findings !== null),
  );
}

/** The scene, which must have been read. */
export function readScene(scene: PreviewScene | undefined): PreviewReadScene {
  if (scene === undefined || "error" in scene) throw new Error(`Not read: ${scene?.error}`);
  return scene;
}

/** The scene's name, or what is wrong. */
export function brief(scenes: readonly PreviewScene[]): readonly string[] {
  return scenes.map((scene) => ("error" in scene ? scene.error : scene.name));
}

export function soundPath(key: string, soundId: string): string {
  return PREVIEW_CALLS.sound.replace(":key", key).replace(":sound_id", soundId);
}

export function acceptPath(key: string): string {
  return PREVIEW_CALLS.accept.replace(":key", key);
}

/** A library with the packages A and B, of one sound each. */
export async function library() {
  const folder = await temporaryFolder();
  for (const name of ["A", "B"]) await writeLocalPackage(join(folder, name), name, ["Kick"]);
  return { folder, manifestOf: (name: string) => join(folder, name, "manifest.json") };
}

/** Gives a package another title. */
export async function renamePackage(manifest: string, title: string): Promise<void> {
  const before = JSON.parse(await readFile(manifest, "utf8"));
  await writeFile(manifest, JSON.stringify({ ...before, title }));
}
