import type { RunningRelay } from "../../running-relay.ts";

/** Reads the series that a relay shows Prometheus, such as `soundferry_sockets` or `x_total{code="BUSY"}` → value. */
export async function scrape(relay: RunningRelay): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(relay.metricsUrl ?? "")).text();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(" ");
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}
