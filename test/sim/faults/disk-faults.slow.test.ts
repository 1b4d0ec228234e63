import { DISK_FAULTS } from "./disk-faults.ts";
import { playFault } from "./fault.ts";

for (const fault of DISK_FAULTS) playFault(fault);
