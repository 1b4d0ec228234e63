import { describe, test } from "vitest";
import { faultCases } from "../../../contracts/relay/faults/fault-cases.ts";
import {
  boundContract,
  listingContract,
} from "../../../contracts/relay/sounds/optional-contracts.ts";
import { quarantineContract } from "../../../contracts/relay/sounds/quarantine-contract.ts";
import { soundStoreContract } from "../../../contracts/relay/sounds/sound-store-contract.ts";
import { s3SoundsUnderTest, wholeS3SoundsUnderTest } from "./s3-sounds-under-test.ts";

describe("a bucket, sounds that may be suspended", () => {
  for (const contract of [soundStoreContract, quarantineContract]) {
    for (const { title, run } of contract(s3SoundsUnderTest)) test(title, run);
  }
});

describe("a bucket, sounds that come whole", () => {
  for (const contract of [soundStoreContract, listingContract, quarantineContract, boundContract]) {
    for (const { title, run } of contract(wholeS3SoundsUnderTest)) test(title, run);
  }
  for (const { title, run } of faultCases({ sounds: wholeS3SoundsUnderTest })) test(title, run);
});
