import process from "node:process";

/** How many files and connections this process may have open at once; Infinity where the system sets no limit. */
export function descriptorLimit(): number {
  // Otherwise the report asks for the name of every peer.
  Reflect.set(process.report, "excludeNetwork", true);
  const report: unknown = process.report.getReport();
  const soft = member(member(member(report, "userLimits"), "open_files"), "soft");
  return typeof soft === "number" ? soft : Infinity;
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
