import { expect, test } from "vitest";
import { liveStudio } from "./live-studio.ts";
import { lasting } from "./look-in-set.ts";
import { nextRun, QUICK, RUN, SMALL } from "./small-layout.ts";

const LITE = { ...QUICK, variant: "Lite" } as const;

test("[R17] a run that skipped sounds has the same outcome after its Set was opened again", async () => {
  const tracks = Array.from({ length: 7 }, (_, index) => ({ name: `${index}` }));
  const studio = await liveStudio({ habits: LITE, set: { tracks } });
  const first = await studio.host.place(await studio.request(SMALL, { runId: RUN }));
  await studio.live.reload();
  await studio.live.run();
  const before = await studio.live.dump();
  const second = await studio.newHost().place(await nextRun(studio));
  expect(second.map((sound) => "skipped" in sound)).toEqual([false, true]);
  expect(second).toEqual(first);
  expect(lasting(await studio.live.dump())).toEqual(lasting(before));
});

test("[H16] after its Set was opened again, a sound whose track the person deleted has failed with a sentence", async () => {
  const studio = await liveStudio({ habits: QUICK });
  await studio.host.place(await studio.request(SMALL, { runId: RUN }));
  await studio.live.edit({ do: "deleteTrack", index: 3 });
  await studio.live.reload();
  await studio.live.run();
  const [beat, kick] = await studio.newHost().place(await nextRun(studio));
  expect(beat).toHaveProperty("holds");
  expect(kick).toHaveProperty(
    "error",
    "Live couldn't read back the clip Kick: its scene or its track was removed.",
  );
});
