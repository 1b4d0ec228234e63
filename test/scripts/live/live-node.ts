import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { buildLive, type LiveBuild } from "../../../scripts/build-live.ts";

/** Live's Extension host is a Node 24, packaged separately and for Linux x64 alone. */
export const LIVE_NODE = join(
  import.meta.dirname,
  `../../../node_modules/node-live-${process.platform}-${process.arch}/bin/node`,
);

/** A test in Live's Node; skipped where there is no package of it. */
export function testInLive(title: string, run: () => Promise<void>): void {
  test.skipIf(!existsSync(LIVE_NODE))(`${title} (needs node-live-linux-x64)`, run);
}

let built: Promise<LiveBuild> | undefined;

/** The extension without Live's SDK, built once for all tests of a worker. */
export function builtExtension(): Promise<LiveBuild> {
  return (built ??= buildLive());
}
