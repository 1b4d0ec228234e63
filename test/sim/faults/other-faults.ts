import { request } from "node:http";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { startImporter } from "../../../addon/control/open-importer.ts";
import { PreviewHost } from "../../../addon/hosts/preview/preview-host.ts";
import { NEW_BECAUSE_NOTES } from "../../../addon/relay/choose-identity.ts";
import { settingsIn } from "../../addon/importer-at-work.ts";
import { letPass } from "../real-time.ts";
import { bothTimes, type Fault } from "./fault.ts";
import { RelayCommand } from "../relay-command.ts";
import type { Site } from "./site.ts";
import { soon } from "../soon.ts";

const DAY_SECONDS = 86_400;

/** The clock is two days ahead, from a start on or while the relay runs, until the work is done and the relay is killed. */
async function twoDaysAhead(site: Site, isBefore: boolean, work: () => Promise<void>) {
  await site.meet(isBefore, () => site.shiftClock(2 * DAY_SECONDS * 1000));
  const notices = [expect.stringContaining("clock")];
  await soon(() => site.ready()).toMatchObject({ status: 200, json: { notices } });
  await work();
  await site.stop("SIGKILL");
  await site.shiftClock(-2 * DAY_SECONDS * 1000);
  await site.start();
}

const WRONG_CLOCK: Fault = {
  name: "D3",
  what: "the clock is two days ahead",
  cells: bothTimes({
    send: [
      "[Z6] what was sent before and meanwhile waits, also with the right clock",
      async (site, isBefore) => {
        await site.sendWaiting(2);
        await twoDaysAhead(site, isBefore, () => site.sendWaiting(2));
        expect((await site.import()).packages).toHaveLength(4);
      },
    ],
    import: [
      "[Z6] everything that waits is imported whole",
      async (site, isBefore) => {
        await site.sendWaiting(3);
        await twoDaysAhead(site, isBefore, async () => {
          const { packages } = await site.import();
          expect(packages.map(({ status }) => status)).toEqual(Array(3).fill("imported"));
        });
      },
    ],
    sweep: [
      "[Z6] no file is deleted, and after that every package is imported",
      async (site, isBefore) => {
        await site.sendWaiting(3);
        const before = await site.filesIn("sounds");
        await twoDaysAhead(site, isBefore, async () => {
          // Three sweeps.
          await letPass(3000);
          expect(await site.filesIn("sounds")).toEqual(before);
        });
        expect((await site.import()).packages).toHaveLength(3);
      },
    ],
  }),
};

/** Another relay answers at the importer's address, while `work` runs; then an import finds two packages. */
async function exchanged(site: Site, reopen: () => Promise<void>): Promise<void> {
  await site.sendWaiting(2);
  const folder = await mkdtemp(join(tmpdir(), "soundferry-fault-"));
  const other = await RelayCommand.start({ SOUNDFERRY_DATA: join(folder, "data") });
  const aim = (url: string) => {
    site.proxy.aimAt(url);
    site.proxy.dropConnections();
  };
  await site.importer.packages();
  const authorized = () => site.proxy.calls.filter(({ headers }) => "authorization" in headers);
  const own = new Set(authorized().map(({ headers }) => headers.authorization));
  try {
    aim(other.url);
    await reopen();
    const { packages, failures } = await site.import();
    expect(packages).toEqual([]);
    expect(failures).toMatchObject([{ error: NEW_BECAUSE_NOTES["other-relay"] }]);
    const seen = authorized().filter(({ target }) => target === other.url);
    expect(seen.filter(({ headers }) => own.has(headers.authorization))).toEqual([]);
  } finally {
    await other.stop("SIGKILL");
    await rm(folder, { recursive: true });
  }
  aim(site.relay.url);
  await reopen();
  expect((await site.import()).packages).toHaveLength(2);
  expect((await site.importer.apps()).apps).toHaveLength(1);
}

const APPS_KNOW_THEIRS = "the fault is at the importer's address; an app has the relay's own";
const NOT_SWEPT = "nothing is at the relay that a sweep could meet";

const ANOTHER_RELAY: Fault = {
  name: "D6",
  what: "another relay answers at the importer's address",
  cells: bothTimes({
    send: APPS_KNOW_THEIRS,
    import: [
      "[P9] it sees no token, and the importer's identity is used when its relay is back",
      (site, isBefore) =>
        exchanged(site, async () => void (isBefore && (await site.reopenImporter()))),
    ],
    sweep: NOT_SWEPT,
  }),
};

/** Uploads half a sound over a connection that then breaks. */
async function uploadHalf({ relay, app }: Site, key: string): Promise<void> {
  const { id } = app.package(key);
  const bytes = app.bytesOf(key, "a.wav");
  const upload = request(`${relay.url}/packages/${id}/files/a.wav`, {
    method: "PUT",
    headers: { authorization: `Bearer ${app.facts.app}`, "content-length": bytes.byteLength },
  });
  const closed = new Promise<void>((resolve) => {
    // Node closes a request that failed, too.
    upload.on("error", () => undefined).on("close", resolve);
  });
  await new Promise((resolve) => {
    upload.write(bytes.subarray(0, bytes.byteLength / 2), resolve);
  });
  upload.destroy();
  await closed;
}

const CUT_BODIES: Fault = {
  name: "D7",
  what: "something on the way cuts bodies",
  cells: bothTimes({
    send: [
      "[U7] half an upload is never a file, and the same package goes on",
      async (site, isBefore) => {
        const { app } = site;
        const key = await app.pack(["a.wav"], 50_000);
        await app.announce(key);
        for (let tries = 0; tries < 3; tries += 1) await uploadHalf(site, key);
        if (isBefore) await site.restart();
        await site.expectNoFileLeft();
        expect(await site.refusal(app.commit(key))).toMatchObject({ status: 409 });
        await app.upload(key, "a.wav");
        await app.commit(key);
      },
    ],
    import: [
      "[R1] after four seconds of cut bodies every sound is imported",
      async (site, isBefore) => {
        await site.sendWaiting(4, ["a.wav", "b.wav"], 50_000);
        if (!isBefore) await site.importer.packages();
        site.proxy.fault = ({ path, headers }) => {
          if (!path.includes("/files/")) return undefined;
          delete headers.range;
          return { cutAfter: 100 };
        };
        if (isBefore) await site.reopenImporter();
        const importing = site.import();
        await letPass(4000);
        site.proxy.fault = () => undefined;
        const { packages, failures } = await importing;
        expect(failures).toEqual([]);
        expect(packages.map(({ status }) => status)).toEqual(Array(4).fill("imported"));
      },
    ],
    sweep: "a sweep uses no connection",
  }),
};

/** Makes files and folders that look a day old. */
async function aging(paths: readonly string[]): Promise<void> {
  const old = Date.now() / 1000 - DAY_SECONDS;
  for (const path of paths) await utimes(path, old, old);
}

/** Expects that the leftovers of a killed relay go: an empty folder, a folder with an upload that nobody resumes. */
async function leaveAndExpectTidy(site: Site, isBefore: boolean): Promise<void> {
  const sounds = join(site.data, "sounds");
  const folders = ["pkg_empty", "pkg_unfinished"].map((name) => join(sounds, name));
  const part = join(sounds, "pkg_unfinished", "snd_1.part");
  if (isBefore) await site.stop("SIGKILL");
  for (const folder of folders) await mkdir(folder);
  await writeFile(part, "RIFF");
  await aging([part, ...folders]);
  if (isBefore) await site.start();
  const named = async () => (await readdir(sounds)).filter((name) => /empty|unfinished/.test(name));
  await soon(named).toEqual([]);
}

/** An importer that takes its folder's lock and imports what waits. */
async function importAsOwner(site: Site): Promise<void> {
  const settings = settingsIn(site.folder, site.proxy.url);
  const host = new PreviewHost(join(settings.dataFolder, "preview-session.json"));
  await site.importer.close();
  {
    await using opened = await startImporter({ settings, host });
    await soon(() => readdir(settings.soundsFolder)).not.toContain("Unfinished");
    await site.import(opened.importer);
  }
  await site.reopenImporter();
}

const LEFTOVERS: Fault = {
  name: "D10",
  what: "leftovers of kills are there, or the data can't be used",
  cells: {
    "before start × send": [
      "[K1] a data folder that can't be made ends the start with a sentence, and the right one serves",
      async (site) => {
        await site.stop();
        const { status, stderr } = await site.refusedStart({ SOUNDFERRY_DATA: "/proc/x" });
        expect(status).toBe(1);
        expect(stderr).toContain("Can't create the folder /proc/x");
        await site.start();
      },
    ],
    "before start × import": [
      "[R3][F2] what a killed importer left goes, and settings of the wrong shape are kept and named",
      async (site) => {
        await site.sendWaiting(2);
        const { dataFolder, soundsFolder } = settingsIn(site.folder, site.proxy.url);
        const lock = join(dataFolder, "importer.lock.new");
        const claimed = join(soundsFolder, "Unfinished");
        const claim = join(claimed, ".soundferry.json.new");
        await mkdir(claimed, { recursive: true });
        for (const path of [lock, claim]) await writeFile(path, "{}");
        await aging([lock, claim, claimed]);
        const config = join(dataFolder, "config.json");
        const kept = await readFile(config, "utf8");
        await writeFile(config, '{"identities": []}');
        const damaged = /config\.json is damaged: .*must be an/;
        await expect(importAsOwner(site)).rejects.toThrow(damaged);
        expect(await readFile(config, "utf8")).toBe('{"identities": []}');
        await writeFile(config, kept);
        await importAsOwner(site);
        expect(await readdir(dataFolder)).not.toContain("importer.lock.new");
        expect(site.waiting).toEqual([]);
      },
    ],
    "before start × sweep": [
      "[Z4] empty folders and unfinished uploads of a killed relay go",
      (site) => leaveAndExpectTidy(site, true),
    ],
    "while running × send": "the folder is chosen at the start",
    "while running × import": "an importer that runs has no leftovers of its own; its start looks",
    "while running × sweep": [
      "[Z4] empty folders and unfinished uploads go with the next look, without a restart",
      (site) => leaveAndExpectTidy(site, false),
    ],
  },
};

export const OTHER_FAULTS = [WRONG_CLOCK, ANOTHER_RELAY, CUT_BODIES, LEFTOVERS];
