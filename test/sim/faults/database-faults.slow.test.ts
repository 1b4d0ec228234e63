import { DATABASE_FAULTS } from "./database-faults.ts";
import { playFault } from "./fault.ts";

for (const fault of DATABASE_FAULTS) playFault(fault);
