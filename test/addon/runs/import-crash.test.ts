import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readLocalPackage } from "../../../addon/packages/local-package.ts";
import { type PackageSource, relayPackage } from "../../../addon/packages/package-source.ts";
import { ImportRun } from "../../../addon/runs/import-run.ts";
import { writeLocalPackage } from "../importer-at-work.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { IMPATIENCE, ImportSite } from "./import-site.ts";
import { offerKit, SoundRelay } from "./sound-relay.ts";
import { temporarySite } from "./temporary-site.ts";

const NAMES = ["Kick", "Snare", "Hat"];
/** Calls to the host: one for the scene, and a track and a clip per sound. */
const CALLS = 1 + 2 * NAMES.length;

async function setUp() {
  const relay = new SoundRelay();
  const site = await temporarySite();
  const offered = offerKit(relay, NAMES);
  return { relay, site, source: () => relayPackage(offered, relay.port()) };
}

/** Expects a whole import: nothing missing, nothing twice, and the relay knows it. */
async function expectWhole(site: ImportSite): Promise<void> {
  const { scenes, tracks } = await site.session();
  expect(scenes.map(({ name }) => name)).toEqual(["Kit (Looper)"]);
  expect(tracks.map(({ name }) => name)).toEqual(NAMES.map((name) => `${name} (Looper)`));
  for (const track of tracks) expect(Object.keys(track.clip_slots)).toHaveLength(1);
  const about = [".soundferry.json", "Kit.dawproject", "manifest.json"];
  const files = [...about, ...NAMES.map((name) => `${name}.wav`)];
  expect(await site.listSounds()).toEqual(files.map((file) => join("Kit", file)).sort());
}

describe("an import interrupted at the host", () => {
  const moments = Array.from({ length: CALLS }, (_, index) => index + 1).flatMap((call) => [
    { moment: "stopBeforeCall", call } as const,
    { moment: "stopAfterCall", call } as const,
  ]);

  test.each(moments)(
    "[R4] is completed, never doubled: $moment $call",
    async ({ moment, call }) => {
      const { relay, site, source } = await setUp();
      const stopped = Promise.withResolvers<void>();
      void site.import(source(), { faults: { [moment]: call, onStop: stopped.resolve } });
      await stopped.promise;
      expect(relay.reports.size).toBe(0);

      const outcome = await site.import(source());
      expect(outcome.status).toBe("imported");
      await expectWhole(site);
      const report = relay.reports.get("pkg_a") ?? {};
      expect(Object.values(report).map(({ status }) => status)).toEqual(Array(3).fill("imported"));
      expect(new Set(relay.takes.map(({ runId }) => runId)).size).toBe(1);
    },
  );

  test("[R4] may be interrupted repeatedly", async () => {
    const { site, source } = await setUp();
    for (let time = 0; time < CALLS; time += 1) {
      const stopped = Promise.withResolvers<void>();
      void site.import(source(), { faults: { stopAfterCall: 1, onStop: stopped.resolve } });
      await stopped.promise;
    }
    await site.import(source());
    await expectWhole(site);
  });
});

describe("an import interrupted while it retries a download", () => {
  /**
   * Moments to stop at. Each sound is cut once: two requests for each, a pause between them, and a piece in each
   * body.
   */
  const moments = Array.from({ length: 5 * NAMES.length }, (_, index) => index + 1);

  test.each(moments)(
    "[R1][R4] is completed by the next run, never doubled: moment %s",
    async (moment) => {
      const { relay, site, source } = await setUp();
      for (const [index] of NAMES.entries()) {
        relay.spoil(`pkg_a-${index + 1}.wav`, { cutAfter: 500 });
      }
      const stopped = Promise.withResolvers<void>();
      const over = Promise.withResolvers<void>();
      let passed = 0;
      const pass = () => {
        passed += 1;
        if (passed < moment) return Promise.resolve();
        stopped.resolve();
        return over.promise;
      };
      const interrupted = site.import(stoppingSource(source(), pass), {
        retryPolicy: { ...IMPATIENCE, pause: pass },
      });
      // A download that was just ending may fail, once the next run has its file.
      interrupted.catch(() => undefined);
      await stopped.promise;
      expect((await site.session()).scenes).toEqual([]);
      expect(relay.reports.size).toBe(0);

      expect((await site.import(source())).status).toBe("imported");
      await expectWhole(site);
      expect(new Set(relay.takes.map(({ runId }) => runId)).size).toBe(1);
      // Its files are closed.
      over.reject(new Error("The process has ended."));
      await expect(interrupted).rejects.toThrow();
    },
  );
});

/** A source that passes a moment before each request and before each piece. */
function stoppingSource(source: PackageSource, pass: () => Promise<void>): PackageSource {
  return {
    ...source,
    open: async (sound, options) => {
      await pass();
      const { body, ...stream } = await source.open(sound, options);
      async function* pieces() {
        for await (const piece of body) {
          await pass();
          yield piece;
        }
      }
      return { ...stream, body: pieces() };
    },
  };
}

test("[R2][R4] sends its report after a restart if it stopped while reporting", async () => {
  const { relay, site, source } = await setUp();
  const asked = Promise.withResolvers<void>();
  const deaf: PackageSource = { ...source(), relay: deafRelay(source(), asked.resolve) };
  void site.import(deaf);
  await asked.promise;
  expect(await site.outbox().flush(relay.port())).toBe(0);
  expect(relay.reports.get("pkg_a")).toMatchObject({ "3": { status: "imported" } });
  await expectWhole(site);
});

test("[R2][R4] a run that stopped between storing its report and ending its journal is over", async () => {
  const { relay, site, source } = await setUp();
  const stored = Promise.withResolvers<void>();
  const outbox = site.outbox();
  const deps = site.deps();
  const run = new ImportRun(
    source(),
    { ...deps, outbox: Object.assign(outbox, { put: stopAfter(outbox.put.bind(outbox), stored) }) },
    { signal: new AbortController().signal, onProgress: () => {} },
  );
  void run.import();
  await stored.promise;
  const over = { importedInto: new Set(["preview"]), unfinished: new Map() };
  expect(await site.journals().read("pkg_a")).toMatchObject(over);
  expect(await site.outbox().flush(relay.port())).toBe(0);
  expect(await site.journals().read("pkg_a")).toMatchObject(over);
  expect((await site.journals().read("pkg_a")).results.get("preview")?.size).toBe(NAMES.length);
});

/** Like `work`, but never returns once it is done. */
function stopAfter<Params extends unknown[]>(
  work: (...params: Params) => Promise<void>,
  done: PromiseWithResolvers<void>,
) {
  return async (...params: Params): Promise<void> => {
    await work(...params);
    done.resolve();
    await new Promise<never>(() => undefined);
  };
}

test("[R4] the next process resumes the run of a killed one", async () => {
  const folder = await temporaryFolder();
  const packageFolder = await writeLocalPackage(join(folder, "in"), "Kit", NAMES);
  for (const call of [1, 2, 2]) {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, "killed-import.ts"), folder, packageFolder, String(call)],
      { stdio: ["ignore", "inherit", "inherit"] },
    );
    const [, signal] = await once(child, "exit");
    expect(signal).toBe("SIGKILL");
  }
  const site = new ImportSite(folder);
  const outcome = await site.import(await readLocalPackage(packageFolder));
  expect(outcome.status).toBe("imported");
  await expectWhole(site);
});

/** A relay that never answers a report. */
function deafRelay({ relay }: PackageSource, onAsked: () => void) {
  if (relay === undefined) throw new Error("The package comes from no relay.");
  const report = () => {
    onAsked();
    return new Promise<never>(() => undefined);
  };
  return { ...relay, report };
}
