import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openCheckedLive } from "./check-live.ts";

// Records the report of the fake Live anew: `node test/remote-script/record-report.ts`.
const PATH = join(import.meta.dirname, "../../fixtures/live-reports/fake-live.json");
await using opened = await openCheckedLive();
await writeFile(PATH, `${JSON.stringify(await opened.check(), null, 1)}\n`);
