import { MemoryNotifier } from "../../../relay/notify/memory-notifier.ts";
import { notifierContract } from "../../contract/notifier-contract.ts";

notifierContract("memory", () => {
  const errors: unknown[] = [];
  return { notifier: new MemoryNotifier((error) => errors.push(error)), errors };
});
