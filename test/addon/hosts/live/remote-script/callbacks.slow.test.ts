import { expect, test } from "vitest";
import { layoutOf } from "../../../../contracts/host/host-contract.ts";
import { CALL_MS, manyLoops } from "./live-costs.ts";
import { liveStudio, placedOf } from "./live-studio.ts";
import { placingCallbacks } from "./fake-live-log.ts";

const GAINS_DB = [0, -3, -6, -12];
const MOST_CALLBACKS = 60;

test.each([{ callMs: {} }, { callMs: CALL_MS }])(
  "[H12] 32 sounds are placed in under 60 callbacks: %j",
  async ({ callMs }) => {
    const studio = await liveStudio({ habits: { callMs } });
    const tracks = manyLoops((index) => GAINS_DB[index % GAINS_DB.length] ?? 0);
    const layout = layoutOf(tracks);
    const request = await studio.request(layout);
    const placed = await studio.host.place(request);
    for (const { soundId } of tracks) placedOf(placed, soundId);
    const callbacks = placingCallbacks(await studio.live.log());
    expect(callbacks.length).toBeGreaterThan(1);
    expect(callbacks.length).toBeLessThan(MOST_CALLBACKS);
  },
);
