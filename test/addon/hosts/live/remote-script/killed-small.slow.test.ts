import { expect, test } from "vitest";
import { AlreadyPlacedError } from "../../../../../addon/hosts/already-placed.ts";
import type { PlacedSound } from "../../../../../core/report/placed-sound.ts";
import { callsToTry } from "../../../../whole-forms.ts";
import { liveStudio } from "./live-studio.ts";
import { lasting } from "./look-in-set.ts";
import { added, nextRun, QUICK, RUN, SMALL } from "./small-layout.ts";

/** A Live that takes no more scene and one more track: the second sound of the layout is skipped. */
const TIGHT = { habits: { ...QUICK, limits: { tracks: 3, scenes: 8 } } };
const FITS = { scenes: 0, tracks: ["Beat (Looper)"] };

function expectFits(placed: readonly PlacedSound[]): void {
  expect(placed.map((sound) => "holds" in sound)).toEqual([true, false]);
  expect(placed[1]).toHaveProperty("skipped");
}

async function countChanges(): Promise<number> {
  const { live, host, request } = await liveStudio(TIGHT);
  const asked = await request(SMALL, { runId: RUN });
  const before = (await live.log()).calls.length;
  expectFits(await host.place(asked));
  const { calls } = await live.log();
  return calls.slice(before).filter(({ changes }) => changes).length;
}

test("[R4][R17][H23] where not all fits, a run that Live was killed in doubles nothing, and takes no second scene", async () => {
  const count = await countChanges();
  expect(count).toBeGreaterThan(10);
  for (const at of callsToTry(count, 4)) {
    const studio = await liveStudio(TIGHT);
    const before = await studio.live.dump();
    const request = await studio.request(SMALL, { runId: RUN });
    await studio.live.killAt(at, { of: "changes", when: "after" });
    await studio.host.place(request).catch(() => undefined);
    const { set } = await studio.live.ended;
    if (set === null) throw new Error("Live wasn't killed.");
    const live = await studio.reopen({ ...TIGHT, set });
    const next: unknown = await studio
      .newHost()
      .place(await nextRun(studio))
      .catch((thrown: unknown) => thrown);
    const after = await live.dump();
    const why = `killed after change ${at} of ${count}: ${String(next)}`;
    const named = after.scenes.filter(({ name }) => name === "Kit (Looper)").length;
    expect(named, why).toBeLessThanOrEqual(1);
    if (next instanceof AlreadyPlacedError) {
      expect(lasting(after), why).toEqual(lasting(set));
      expect(next.steps.length, why).toBeGreaterThan(0);
    } else {
      expect(Array.isArray(next), why).toBe(true);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is a list
      expectFits(next as PlacedSound[]);
      expect(added(before, after), why).toEqual(FITS);
    }
    // Another Set gets the whole again, as far as it fits.
    await live.reload(before);
    await live.run();
    expectFits(await studio.newHost().place(await nextRun(studio)));
    expect(added(before, await live.dump()), why).toEqual(FITS);
    await studio.live.kill();
  }
});
