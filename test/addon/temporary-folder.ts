import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder of the test's own, removed after it. */
export async function temporaryFolder(): Promise<string> {
  const path = await mkdtemp(join(await realpath(tmpdir()), "soundferry-test-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}
