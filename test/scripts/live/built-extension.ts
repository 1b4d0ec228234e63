import { buildLive, type LiveBuild } from "../../../scripts/build-live.ts";

let built: Promise<LiveBuild> | undefined;

/** The extension without Live's SDK, built once for all tests of a worker. */
export function builtExtension(): Promise<LiveBuild> {
  return (built ??= buildLive());
}
