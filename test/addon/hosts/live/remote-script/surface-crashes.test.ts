import { expect, test } from "vitest";
import { AlreadyPlacedError } from "../../../../../addon/hosts/already-placed.ts";
import { LeftBehindError } from "../../../../../addon/hosts/host.ts";
import { layoutOf, LOOP, ONE_SHOT } from "../../../../contracts/host/host-contract.ts";
import { inRows } from "../../in-rows.ts";
import { surfaceStudio } from "./surface-studio.ts";

const KIT = layoutOf([LOOP, ONE_SHOT]);
const MADE = { scenes: ["Kit (Looper)"], tracks: ["Beat (Looper)", "Kick (Looper)"] };
const NOTHING = { scenes: [], tracks: [] };

async function countLines(): Promise<readonly number[]> {
  const { host, surface, request } = await surfaceStudio();
  await host.place(await request(KIT));
  return Array.from({ length: surface.lines }, (_, index) => index + 1);
}

test("[R4] a connection that is cut at any line costs nothing: the run is joined again", async () => {
  const lines = await countLines();
  expect(lines.length).toBeGreaterThan(8);
  await inRows(lines, async (at) => {
    const { host, surface, request } = await surfaceStudio({
      onLine: (line) => (line === at ? "cut" : undefined),
    });
    // Before the login there is no run to join: the import fails, and the next one goes through.
    const asked = await request(KIT);
    const placed = await host.place(asked).catch(() => host.place(asked));
    expect(placed).toHaveLength(2);
    expect(surface.set.look()).toEqual(MADE);
  });
});

test("[R4] killed at any line, the importer finds at its next start what was made, and makes it once", async () => {
  await inRows(await countLines(), async (at) => {
    const folders: string[] = [];
    const studio = await surfaceStudio({
      onLine: (line) => {
        if (line !== at) return undefined;
        // The dead importer never connects again.
        folders.length = 0;
        return "cut";
      },
    });
    folders.push(studio.folder);
    const dying = studio.otherHost({ folders }).place(await studio.request(KIT));
    await expect(dying).rejects.toThrow();
    await studio.host.place(await studio.request(KIT));
    expect(studio.surface.set.look()).toEqual(MADE);
  });
});

test("[R4] Live killed at any of its calls: the next import says what the reopened Set holds", async () => {
  const total = await countCalls();
  const asked = await inRows(
    Array.from({ length: total }, (_, index) => index + 1),
    async (at) => {
      const studio = await surfaceStudio({
        onCall: (call) => {
          if (call === at) studio.surface.kill();
        },
      });
      const { host, surface, request, restart } = studio;
      await expect(host.place(await request(KIT))).rejects.toThrow(LeftBehindError);
      const before = surface.set.look();
      await restart({});
      const next = await host.place(await request(KIT)).catch((error: unknown) => error);
      if (!(next instanceof Error)) {
        expect([NOTHING, MADE]).toContainEqual(before);
        expect(surface.set.look()).toEqual(MADE);
        return false;
      }
      expect(next).toBeInstanceOf(AlreadyPlacedError);
      for (const name of [...before.scenes, ...before.tracks]) {
        if (name !== "" && name !== "Audio") expect(next.message).toContain(name);
      }
      expect(before).not.toEqual(NOTHING);
      expect(surface.set.look()).toEqual(before);
      await host.place(await request(KIT, { again: true }));
      expect(surface.set.look().tracks).toEqual([...before.tracks, ...MADE.tracks]);
      return true;
    },
  );
  expect(new Set(asked)).toEqual(new Set([false, true]));
});

test("[R4] Live killed for good: the import says so, and its run may have left something", async () => {
  const { host, surface, request } = await surfaceStudio({
    onCall: (call) => void (call === 5 && surface.kill()),
  });
  const placing = host.place(await request(KIT));
  await expect(placing).rejects.toThrow(
    "Live stopped answering while it placed Kit (Looper). Import again once Live answers",
  );
});

test("[H7] cancelled at any of Live's calls, nothing stays", async () => {
  const total = await countCalls();
  const outcomes = await inRows(
    Array.from({ length: total }, (_, index) => index + 1),
    async (at) => {
      const callOff = new AbortController();
      const reason = new Error("called off");
      const { host, surface, request } = await surfaceStudio({
        onCall: (call) => void (call === at && callOff.abort(reason)),
      });
      const placing = host.place(await request(KIT, { signal: callOff.signal }));
      await expect(placing).rejects.toBe(reason);
      expect(surface.set.look()).toEqual(NOTHING);
      return surface.set.unfinished;
    },
  );
  expect(outcomes).toEqual(outcomes.map(() => ({})));
});

async function countCalls(): Promise<number> {
  let total = 0;
  const { host, request } = await surfaceStudio({ onCall: (call) => (total = call) });
  await host.place(await request(KIT));
  return total;
}
