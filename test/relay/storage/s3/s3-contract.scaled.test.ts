import { describe, test } from "vitest";
import { boundContract } from "../../../contracts/relay/sounds/bound-contract.ts";
import { LISTING_CASES } from "../../../contracts/relay/sounds/listing-cases.ts";
import { resumingContract } from "../../../contracts/relay/sounds/resuming-contract.ts";
import { onSoundStore } from "../../../contracts/relay/sounds/sounds-case.ts";
import { s3SoundsUnderTest } from "./s3-sounds-under-test.ts";

// A bucket differs most from a disk in parts that are joined, and in its lists. The rest runs nightly.
describe("a bucket", () => {
  for (const { title, run } of [
    ...onSoundStore(s3SoundsUnderTest, LISTING_CASES),
    ...resumingContract(s3SoundsUnderTest),
    ...boundContract(s3SoundsUnderTest),
  ]) {
    test(title, run);
  }
});
