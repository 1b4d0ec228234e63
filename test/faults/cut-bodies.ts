import { request } from "node:http";
import { expect } from "vitest";
import type { Fault } from "./fault.ts";
import type { Entry } from "./ledger.ts";
import type { Site } from "./site.ts";

const CUT_SECONDS = 4;
const BYTES_LET_THROUGH = 100;

/** The proxy cuts every download for four seconds. */
function cutBodies({ proxy }: Site): void {
  const until = performance.now() + CUT_SECONDS * 1000;
  proxy.fault = ({ path, headers }) => {
    if (!path.includes("/files/") || performance.now() >= until) return undefined;
    delete headers.range;
    return { cutAfter: BYTES_LET_THROUGH };
  };
}

async function announce(site: Site): Promise<Entry> {
  const entry = await site.announce(["a.wav"], 50_000);
  if (!("id" in entry)) throw new Error("It was refused.");
  return entry;
}

/** Uploads half a sound over a connection that then breaks. */
async function uploadHalf({ relay, token }: Site, { id, files }: Entry): Promise<void> {
  const bytes = files.get("a.wav") ?? Buffer.alloc(0);
  const upload = request(`${relay.url}/packages/${id}/files/a.wav`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-length": bytes.byteLength },
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

async function importing(site: Site, whileRunning: boolean): Promise<void> {
  await site.sendWaiting(4, ["a.wav", "b.wav"], 50_000);
  if (whileRunning) await site.importer.packages();
  cutBodies(site);
  if (!whileRunning) await site.reopenImporter();
  const { packages, failures } = await site.import();
  expect(failures).toEqual([]);
  expect(packages.map(({ status }) => status)).toEqual(Array(4).fill("imported"));
  site.proxy.fault = () => undefined;
}

const titles = {
  upload: "half an upload is never a file, and the same package goes on",
  import: "after four seconds of cut bodies every sound is imported",
};
const NO_NETWORK = "a sweep uses no connection";

export const CUT_BODIES: Fault = {
  name: "D7",
  what: "something on the way cuts bodies",
  cells: {
    "before start": {
      send: {
        rule: "[U7]",
        title: titles.upload,
        play: async (site) => {
          const entry = await announce(site);
          await uploadHalf(site, entry);
          await site.restart();
          await expect.poll(() => site.filesIn("sounds")).toHaveLength(site.ledger.fileCount);
          expect(await site.commit(entry)).toMatchObject({ status: 409 });
          expect((await site.upload(entry, "a.wav")).status).toBe(200);
          expect((await site.commit(entry)).status).toBe(200);
        },
      },
      import: { rule: "[R1]", title: titles.import, play: (site) => importing(site, false) },
      sweep: { leftOut: NO_NETWORK },
    },
    "while running": {
      send: {
        rule: "[U7]",
        title: titles.upload,
        play: async (site) => {
          const entry = await announce(site);
          for (let tries = 0; tries < 3; tries += 1) await uploadHalf(site, entry);
          expect(await site.commit(entry)).toMatchObject({ status: 409 });
          await expect.poll(() => site.filesIn("sounds")).toHaveLength(site.ledger.fileCount);
          expect((await site.upload(entry, "a.wav")).status).toBe(200);
          expect((await site.commit(entry)).status).toBe(200);
        },
      },
      import: { rule: "[R1]", title: titles.import, play: (site) => importing(site, true) },
      sweep: { leftOut: NO_NETWORK },
    },
  },
};
