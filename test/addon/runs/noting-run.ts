import type { PlacedSound } from "../../../core/report/placed-sound.ts";
import type { Host, PlaceRequest } from "../../../addon/hosts/host.ts";
import { RelayError } from "../../../addon/relay/relay-errors.ts";
import type { ImportProgress } from "../../../core/protocol/import-outcome.ts";
import { smallWav } from "../../wav-bytes.ts";
import { MemorySource } from "./memory-source.ts";
import { LEASE_ANSWER, relayWith } from "./relay-with.ts";
import { temporarySite } from "./temporary-site.ts";

/** A host that only records its requests; it can't tell what an earlier run left. */
class NotingHost implements Host {
  readonly name = "noting";
  readonly can = { resumes: false };
  readonly requests: PlaceRequest[] = [];
  act = async ({ layout }: PlaceRequest): Promise<readonly PlacedSound[]> =>
    layout.tracks.map(({ soundId }) => ({ soundId, holds: {}, notes: [] }));

  async place(request: PlaceRequest): Promise<readonly PlacedSound[]> {
    this.requests.push(request);
    return this.act(request);
  }
}

export const NAMES = ["Kick", "Snare"];

/** A run of two sounds in memory; a test changes what relay and host do. */
export async function setUpNoting(at: "relay" | "folder" = "folder") {
  const site = await temporarySite();
  const host = new NotingHost();
  const calls: string[] = [];
  const box = {
    take: undefined as unknown,
    report: undefined as unknown,
    /** The run that has the lease, where only that one may renew it. */
    holder: undefined as string | undefined,
  };
  const relay = relayWith({
    take: async (packageId, { run_id: runId, force = false }) => {
      calls.push(`take ${packageId}`);
      if (box.take !== undefined) throw box.take;
      const isElsewhere = box.holder !== undefined && box.holder !== runId;
      if (isElsewhere && !force) throw new RelayError(409, "Taken.", { code: "RUN_ELSEWHERE" });
      return LEASE_ANSWER;
    },
    report: async (packageId) => {
      calls.push(`report ${packageId}`);
      if (box.report !== undefined) throw box.report;
      return { status: "imported" };
    },
  });
  const sounds = NAMES.map((name, index) => ({ name, wav: smallWav({ fill: index }) }));
  const source = new MemorySource(sounds, "pkg_a", at === "relay" ? relay : undefined);
  const told: ImportProgress[] = [];
  const run = (options: Parameters<typeof site.import>[1] = {}) =>
    site.import(source, { host, onProgress: (progress) => told.push(progress), ...options });
  const phases = () => [...new Set(told.map(({ phase }) => phase))];
  const journal = () => site.journals().read("pkg_a");
  return { site, host, calls, box, source, told, run, phases, journal };
}
