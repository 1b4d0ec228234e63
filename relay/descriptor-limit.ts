import process from "node:process";

let read: number | undefined;

/**
 * Returns how many files and connections this process may have open at once; Infinity where the system sets no limit.
 * Read once: Node only says it in a whole diagnostic report, which takes milliseconds.
 */
export function descriptorLimit(): number {
  return (read ??= readLimit());
}

function readLimit(): number {
  // Otherwise the report asks for the name of every peer.
  Reflect.set(process.report, "excludeNetwork", true);
  const report: unknown = process.report.getReport();
  const soft = member(member(member(report, "userLimits"), "open_files"), "soft");
  return typeof soft === "number" ? soft : Infinity;
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
