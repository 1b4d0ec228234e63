import { describe } from "vitest";
import type { Host } from "../../../../../addon/hosts/host.ts";
import { testHostContract } from "../../../../contracts/host/host-contract.ts";
import { surfaceStudio } from "./surface-studio.ts";

describe("the control surface's host", () =>
  testHostContract(async () => {
    const { host, surface, request } = await surfaceStudio();
    const withFiles: Host = {
      name: host.name,
      can: host.can,
      place: async (asked) => {
        const { files } = await request(asked.layout);
        return host.place({ ...asked, files });
      },
    };
    return { host: withFiles, look: async () => surface.set.look() };
  }));
