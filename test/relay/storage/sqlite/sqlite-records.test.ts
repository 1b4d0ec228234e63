import { idempotencyContract } from "../../../contract/idempotency-contract.ts";
import { packageQuotasContract } from "../../../contract/package-quotas-contract.ts";
import { packageRecordsContract } from "../../../contract/package-records-contract.ts";
import { pairingCodesContract } from "../../../contract/pairing-codes-contract.ts";
import { pairingRecordsContract } from "../../../contract/pairing-records-contract.ts";
import { openSqlite } from "./open-sqlite.ts";

pairingRecordsContract("SQLite", openSqlite);
pairingCodesContract("SQLite", openSqlite);
packageRecordsContract("SQLite", openSqlite);
packageQuotasContract("SQLite", openSqlite);
idempotencyContract("SQLite", openSqlite);
