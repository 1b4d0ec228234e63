import { MemoryDoorbell } from "../../../relay/notify/memory-doorbell.ts";
import { doorbellContract } from "../../contract/doorbell-contract.ts";

doorbellContract("memory", () => {
  const errors: unknown[] = [];
  return { doorbell: new MemoryDoorbell((error) => errors.push(error)), errors };
});
