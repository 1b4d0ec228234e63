import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCheckedLive } from "./check-live.ts";

// Records the report of the fake Live again: `node scripts/node.cjs test/addon/hosts/live/remote-script/record-report.ts`.
const PATH = join(import.meta.dirname, "../../../../../fixtures/live-reports/fake-live.json");
const home = await mkdtemp(join(tmpdir(), "soundferry-report-"));
try {
  await using opened = await openCheckedLive(home);
  await writeFile(PATH, `${JSON.stringify(await opened.check(), null, 1)}\n`);
} finally {
  await rm(home, { recursive: true });
}
