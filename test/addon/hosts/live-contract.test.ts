import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe } from "vitest";
import type { Host } from "../../../addon/hosts/host.ts";
import { LiveHost } from "../../../addon/hosts/live/sdk/live-host.ts";
import { testHostContract } from "../../contracts/host/host-contract.ts";
import { StandInLive } from "./live/stand-in/stand-in-live.ts";
import { smallWav } from "../../wav-bytes.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** 16 beats at 174 BPM, as nearly as a file can hold them. */
const LOOP_WAV = smallWav({ frames: 44_138, sampleRateHz: 8000 });

describe("the Live host", () =>
  testHostContract(async () => {
    const folder = await temporaryFolder();
    const live = new StandInLive(folder, { firstScenes: [], firstTracks: [], guess: 174 });
    const host = new LiveHost(live.context);
    const look = async () => {
      const { scenes, tracks } = live.look();
      return { scenes, tracks: tracks.map(({ name }) => name) };
    };
    return { host: withFiles(host, folder), look };
  }));

/** Live plays only files that are there. */
function withFiles(host: Host, folder: string): Host {
  const { name, can } = host;
  return {
    name,
    can,
    place: async (request) => {
      const files = new Map<string, string>();
      for (const soundId of request.files.keys()) {
        const path = join(folder, `${soundId}.wav`);
        await writeFile(path, LOOP_WAV);
        files.set(soundId, path);
      }
      return host.place({ ...request, files });
    },
  };
}
