import { expect, test } from "vitest";
import { violationsIn } from "./fake-live-log.ts";
import { liveStudio } from "./live-studio.ts";
import { added, NOTHING, ONCE, QUICK, RUN, SMALL } from "./small-layout.ts";

test.each([
  ["11.3.25", true],
  ["11.3.43", true],
  ["11.3.24", false],
  ["11.2", false],
  ["12.0", false],
  ["12.0.1", false],
  ["12.0.4", false],
  ["12.0.5", true],
  ["12.4", true],
])("[H12] Live %s places sounds: %s", async (version, places) => {
  const studio = await liveStudio({ habits: { ...QUICK, version } });
  const before = await studio.live.dump();
  expect(await studio.host.isReady()).toBe(places);
  const placing = studio.host.place(await studio.request(SMALL, { runId: RUN }));
  if (places) await placing;
  else await expect(placing).rejects.toThrow();
  expect(added(before, await studio.live.dump())).toEqual(places ? ONCE : NOTHING);
  expect(violationsIn(await studio.live.log())).toEqual([]);
});
