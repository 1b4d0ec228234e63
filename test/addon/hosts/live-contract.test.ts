import { describe } from "vitest";
import { LiveHost } from "../../../addon/hosts/live/sdk/live-host.ts";
import { testHostContract } from "../../contracts/host/host-contract.ts";
import { StandInLive } from "./live/stand-in/stand-in-live.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { withFiles } from "./with-files.ts";

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
