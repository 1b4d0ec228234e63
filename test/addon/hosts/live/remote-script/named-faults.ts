import type { FakeFault } from "./fake-live.ts";

/** The names of what a right script never does, each once, in the order in which they happened. */
export function violationsIn({ faults }: { readonly faults: readonly FakeFault[] }): string[] {
  return namesOf(faults.filter(({ kind }) => kind === "violation"));
}

/** The names of what Live refused. */
export function refusalsIn({ faults }: { readonly faults: readonly FakeFault[] }): string[] {
  return namesOf(faults.filter(({ kind }) => kind === "refusal"));
}

function namesOf(faults: readonly FakeFault[]): string[] {
  return [...new Set(faults.map(({ name }) => name))];
}
