import { test } from "vitest";
import { listingContract } from "../../contracts/relay/sounds/listing-contract.ts";
import { soundStoreContract } from "../../contracts/relay/sounds/sound-store-contract.ts";
import { makeMemorySounds } from "./memory-sounds-under-test.ts";

for (const { title, run } of soundStoreContract(makeMemorySounds)) test(title, run);
for (const { title, run } of listingContract(makeMemorySounds)) test(title, run);
