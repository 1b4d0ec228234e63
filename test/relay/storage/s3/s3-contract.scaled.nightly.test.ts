import { describe, test } from "vitest";
import { faultCases } from "../../../contracts/relay/faults/fault-cases.ts";
import { quarantineContract } from "../../../contracts/relay/sounds/quarantine-contract.ts";
import { soundStoreContract } from "../../../contracts/relay/sounds/sound-store-contract.ts";
import { s3SoundsUnderTest } from "./s3-sounds-under-test.ts";

describe("a bucket", () => {
  for (const contract of [soundStoreContract, quarantineContract]) {
    for (const { title, run } of contract(s3SoundsUnderTest)) test(title, run);
  }
  for (const { title, run } of faultCases({ sounds: s3SoundsUnderTest })) test(title, run);
});
