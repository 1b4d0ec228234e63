import { describe, test } from "vitest";
import { faultCases } from "../../../contracts/relay/faults/fault-cases.ts";
import { makePostgresProcesses } from "../../notify/notifying-postgres.ts";
import { makePostgres } from "./open-postgres.ts";

const make = () => makePostgres((url) => url);
const MAKERS = { records: make, notifier: makePostgresProcesses };

describe.concurrent("faults planted into PostgreSQL", () => {
  for (const { title, run } of faultCases(MAKERS)) test(title, run);
});
