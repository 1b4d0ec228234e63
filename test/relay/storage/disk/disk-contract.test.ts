import { describe, test } from "vitest";
import { boundContract } from "../../../../relay/testing/sounds/bound-contract.ts";
import { freeingContract } from "../../../../relay/testing/sounds/freeing-contract.ts";
import { listingContract } from "../../../../relay/testing/sounds/listing-contract.ts";
import { quarantineContract } from "../../../../relay/testing/sounds/quarantine-contract.ts";
import { resumingContract } from "../../../../relay/testing/sounds/resuming-contract.ts";
import { soundStoreContract } from "../../../../relay/testing/sounds/sound-store-contract.ts";
import { diskSoundsUnderTest } from "./disk-sounds-under-test.ts";

describe.concurrent("a disk", () => {
  for (const contract of [
    soundStoreContract,
    listingContract,
    resumingContract,
    quarantineContract,
    boundContract,
    freeingContract,
  ]) {
    for (const { title, run } of contract(diskSoundsUnderTest)) test(title, run);
  }
});
