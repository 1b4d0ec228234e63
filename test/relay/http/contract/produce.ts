import { expect } from "vitest";
import { smallWav } from "../../../wav-bytes.ts";
import { manifestOf } from "../../../manifest-of.ts";
import { INTEROP, partHeaders } from "../partial-calls.ts";
import type { ContractWatch } from "./contract-watch.ts";
import type { Sending } from "./world.ts";

/** The operations that document this status or code. */
function answering(watch: ContractWatch, what: string): string[] {
  return watch
    .documented()
    .filter((one) => one.split(" ").includes(what))
    .map((one) => one.split(" ")[0] ?? "");
}

/** Calls each of these operations; each must answer so. */
export async function produceAll(
  watch: ContractWatch,
  what: string,
  produce: (id: string) => Promise<unknown>,
): Promise<void> {
  const ids = answering(watch, what);
  expect(ids.length).toBeGreaterThan(0);
  await Promise.all(ids.map(produce));
  for (const id of ids) {
    expect([...watch.produced].filter((one) => one.startsWith(`${id} `)).join("; ")).toContain(
      what,
    );
  }
}

/** Builds the values that an operation needs for its body to be valid. */
export function fitting(id: string): Sending {
  switch (id) {
    case "claimPairing":
      return { body: { code: "K7MQ2X", app_name: "A", app_id: "1" } };
    case "announcePackage":
      return { body: manifestOf(["kick.wav"]) };
    case "uploadFile":
      return { body: smallWav() };
    case "readUploadOffset":
      return { headers: INTEROP };
    case "appendToFile":
      return { body: smallWav(), headers: partHeaders(0, "?1") };
    case "answerPairingRequest":
      return { body: { request_id: "req_1", answer: "allow" } };
    case "renameComputer":
      return { body: {} };
    case "reportResults":
      return { body: { results: {} } };
    default:
      return {};
  }
}
