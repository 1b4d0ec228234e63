import { idempotencyContract } from "../../contract/idempotency-contract.ts";
import { packageQuotasContract } from "../../contract/package-quotas-contract.ts";
import { packageRecordsContract } from "../../contract/package-records-contract.ts";
import { pairingCodesContract } from "../../contract/pairing-codes-contract.ts";
import { pairingRecordsContract } from "../../contract/pairing-records-contract.ts";
import type { OpenRecords } from "../../contract/records-under-test.ts";
import { sqliteInMemory } from "./sqlite-in-memory.ts";

// What the use cases are tested on keeps the promises of the relay's own records.
const open: OpenRecords = async () => {
  const { close, ...records } = sqliteInMemory();
  return {
    ...records,
    // Nothing outlives a database in memory, so it stays open.
    reopen: async () => undefined,
    [Symbol.asyncDispose]: async () => close(),
  };
};

pairingRecordsContract("SQLite in memory", open);
pairingCodesContract("SQLite in memory", open);
packageRecordsContract("SQLite in memory", open);
packageQuotasContract("SQLite in memory", open);
idempotencyContract("SQLite in memory", open);
