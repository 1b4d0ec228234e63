import type { Host } from "../../addon/hosts/host.ts";

/** A host that is busy until its gate is opened, or its run is canceled. */
export function gatedHost(): {
  readonly host: Host;
  readonly reached: Promise<void>;
  readonly open: () => void;
} {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const host: Host = {
    name: "gated",
    can: { resumes: true },
    place: async ({ layout, signal }) => {
      const canceled = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
      reached.resolve();
      await Promise.race([gate.promise, canceled]);
      return layout.tracks.map(({ soundId }) => ({ soundId, holds: {}, notes: [] }));
    },
  };
  return { host, reached: reached.promise, open: gate.resolve };
}
