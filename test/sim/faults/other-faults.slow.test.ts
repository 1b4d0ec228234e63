import { OTHER_FAULTS } from "./other-faults.ts";
import { playFault } from "./fault.ts";

for (const fault of OTHER_FAULTS) playFault(fault);
