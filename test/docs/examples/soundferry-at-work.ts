import { afterAll, beforeAll } from "vitest";
import { readPreviewSession } from "../../../addon/hosts/preview/preview-session.ts";
import { type Machine, makeMachine, type RunningCommand } from "../../cli/run-soundferry.ts";
import { readFile } from "node:fs/promises";
import { readSamples } from "../../fixtures/read-samples.ts";

/** The code that can be used repeatedly. */
export const CODE = "SND FRY";

/** Relay, importer and preview host on their own machine, for all tests of a file. Imports on arrival. */
export function useSoundferry() {
  let started: { readonly machine: Machine; readonly up: RunningCommand } | undefined;
  const running = () => {
    if (started === undefined) throw new Error("Soundferry does not run yet.");
    return started;
  };
  const facts = (): { relay_url: string; preview_session: string } =>
    JSON.parse(running().up.stdout);

  beforeAll(async () => {
    const machine = await makeMachine();
    const up = machine.start(["up", "--auto-import", "--code", CODE, "--json"]);
    started = { machine, up };
    await up.until(({ stdout }) => stdout.endsWith("\n"));
  }, 60_000);
  afterAll(() => started?.machine[Symbol.asyncDispose]());

  return {
    get home() {
      return running().machine.home;
    },
    get relayUrl() {
      return facts().relay_url;
    },
    /** Types a line into a terminal in the project's folder, and waits until it is done. */
    type: async (line: string) => running().machine.type(line).ended,
    /** The clips in the host's scene of this name, each with its track's; from left to right. */
    clipsOf: async (sceneName: string) => {
      const { scenes, tracks } = await readPreviewSession(facts().preview_session);
      const ids = scenes.filter(({ name }) => name === sceneName).map(({ id }) => String(id));
      return tracks.flatMap(({ name, clip_slots }) =>
        ids.flatMap((id) => {
          const clip = clip_slots[id];
          return clip === undefined ? [] : [{ ...clip, track: name }];
        }),
      );
    },
  };
}

/** A rendered loop's frames and its loudest sample, where 1 is full scale. */
export async function readLoop(file: string) {
  const { header, channels } = await readSamples(await readFile(file), file);
  const levels = channels.map((samples) =>
    samples.reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0),
  );
  return {
    frames: header.frames,
    sampleRateHz: header.sampleRateHz,
    loudest: Math.max(...levels),
  };
}
