import { describe } from "vitest";
import { FolderHost } from "../../../addon/hosts/folder/folder-host.ts";
import { testHostContract } from "../../contracts/host/host-contract.ts";

describe("the sounds folder alone", () =>
  testHostContract(
    async () => ({ host: new FolderHost(), look: async () => ({ scenes: [], tracks: [] }) }),
    { onlySaves: true },
  ));
