import { test } from "vitest";
import { notifierContract } from "../../contracts/relay/notifier/notifier-contract.ts";
import { makePostgresProcesses } from "./notifying-postgres.ts";

for (const { title, run } of notifierContract(makePostgresProcesses)) test(title, run);
