import { describe, test } from "vitest";
import { boundContract } from "../../../contracts/relay/sounds/bound-contract.ts";
import { quarantineContract } from "../../../contracts/relay/sounds/quarantine-contract.ts";
import { resumingContract } from "../../../contracts/relay/sounds/resuming-contract.ts";
import { soundStoreContract } from "../../../contracts/relay/sounds/sound-store-contract.ts";
import { diskSoundsUnderTest } from "./disk-sounds-under-test.ts";

describe.concurrent("a disk", () => {
  for (const contract of [
    soundStoreContract,
    resumingContract,
    quarantineContract,
    boundContract,
  ]) {
    for (const { title, run } of contract(diskSoundsUnderTest)) test(title, run);
  }
});
