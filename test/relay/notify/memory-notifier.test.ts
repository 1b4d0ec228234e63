import { MemoryDoorbell } from "../../../relay/notify/memory-notifier.ts";
import { doorbellContract } from "../../contract/notifier-contract.ts";

doorbellContract("memory", () => {
  const errors: unknown[] = [];
  return { doorbell: new MemoryDoorbell((error) => errors.push(error)), errors };
});
