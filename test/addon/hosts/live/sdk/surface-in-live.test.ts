import { copyFile, mkdir, realpath } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { surfaceInLive } from "../../../../../addon/hosts/live/sdk/live-host.ts";
import { findScenePlace } from "../../../../../addon/hosts/live/sdk/scene-and-tracks.ts";
import { layoutOf, LOOP, ONE_SHOT } from "../../../../contracts/host/host-contract.ts";
import { StandInLive } from "../stand-in/stand-in-live.ts";
import { placedOf, surfaceStudio } from "../remote-script/surface-studio.ts";

async function studioInLive(importIntoProject: (path: string, project: string) => Promise<string>) {
  const { folder, surface, request } = await surfaceStudio();
  const project = join(await realpath(folder), "Song Project", "Samples", "Imported");
  await mkdir(project, { recursive: true });
  const live = new StandInLive(folder);
  const resources = { importIntoProject: (path: string) => importIntoProject(path, project) };
  const context = { ...live.context, application: live.context.application, resources };
  const host = surfaceInLive(context, folder);
  return { host, surface, request, project, song: context.application.song };
}

async function copyInto(path: string, project: string): Promise<string> {
  const copy = join(project, basename(path));
  await copyFile(path, copy);
  return copy;
}

test("[H17] brings each file into the project, and the clip plays that copy", async () => {
  const { host, request, project } = await studioInLive(copyInto);
  const placed = await host.place(await request(layoutOf([LOOP, ONE_SHOT])));
  for (const { soundId } of [LOOP, ONE_SHOT]) {
    const { holds, notes } = placedOf(placed, soundId);
    const copy = join(project, `${soundId}.wav`);
    expect(holds.file).toEqual({ asked: copy, got: copy });
    expect(notes.join(" ")).not.toContain("Collect All and Save");
  }
});

test.each([
  ["refuses", async () => Promise.reject(new Error())],
  ["answers with nothing", async () => ""],
  ["answers with the same path", async (path: string) => path],
])("[H17] plays the importer's file where Live %s", async (_, importIntoProject) => {
  const { host, request } = await studioInLive(importIntoProject);
  const made = await request(layoutOf([LOOP]));
  const { notes, holds } = placedOf(await host.place(made), LOOP.soundId);
  expect(holds.file?.got).toBe(await realpath(made.files.get(LOOP.soundId) ?? ""));
  expect(notes.join(" ")).toContain("Collect All and Save");
});

test("[H17] makes the scene below the clicked one", async () => {
  const { host, request, surface, song } = await studioInLive(copyInto);
  const [first] = song.scenes;
  const after = findScenePlace(song, [first]);
  if (after === undefined) throw new Error("The clicked scene was not found.");
  await host.place(await request(layoutOf([LOOP]), { after }));
  expect(song.scenes.length).toBeGreaterThan(1);
  expect(surface.requests.findLast(({ call }) => call === "place")).toMatchObject({
    scene: { index: 1 },
  });
});
