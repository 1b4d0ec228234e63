import { describe, test } from "vitest";
import {
  boundContract,
  listingContract,
} from "../../../contracts/relay/sounds/optional-contracts.ts";
import { resumingContract } from "../../../contracts/relay/sounds/resuming-contract.ts";
import { s3SoundsUnderTest } from "./s3-sounds-under-test.ts";

// A bucket differs most from a disk in parts that are joined, and in its lists. The rest runs nightly.
describe("a bucket", () => {
  for (const contract of [listingContract, resumingContract, boundContract]) {
    for (const { title, run } of contract(s3SoundsUnderTest)) test(title, run);
  }
});
