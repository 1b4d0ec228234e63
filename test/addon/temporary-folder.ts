import { rmSync } from "node:fs";
import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder of the test's own, removed after it. */
export async function temporaryFolder(): Promise<string> {
  const path = await mkdtemp(join(await realpath(tmpdir()), "soundferry-test-"));
  // At once, because it costs a fraction of the processor time. What a test left running may still write.
  onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}
