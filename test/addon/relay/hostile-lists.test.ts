import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileNameForId } from "../../../addon/disk/id-file-name.ts";
import { readLocalPackage } from "../../../addon/packages/local-package.ts";
import { MAX_LISTED_PACKAGES, PackageList } from "../../../core/importer/package-list.ts";
import type { ImportablePackage } from "../../../core/protocol/importer-api.ts";
import { until } from "../../sim/until.ts";
import { smallWav } from "../../wav-bytes.ts";
import { importerAtWork, writeLocalPackage } from "../importer-at-work.ts";
import { connected } from "../named-relays.ts";
import { linkTo, startStandIn } from "./linked-client.ts";
import { importablePackage, offerPackage } from "./packages-to-import.ts";
import type { StandInRelay } from "./stand-in-relay.ts";

const idOf = (at: number | string) => `pkg_${String(at).padEnd(22, "_")}`;
const SOUND = { file: "1.wav", name: "Kick", wav: smallWav() };
const listed = (id: string, more: object = {}): ImportablePackage =>
  Object.assign(
    importablePackage(id, "Kit", {
      sounds: [SOUND],
      folder: `/importer/packages/${encodeURIComponent(id)}/files/`,
    }),
    more,
  );

const LOOK_ALIKE = `pkg_${"а".repeat(22)}`;
const WRONG_IDS = [
  "../x",
  "/etc",
  "C:\\x",
  "\\\\host\\share",
  "//host/share",
  LOOK_ALIKE,
  `pkg_${"x".repeat(21)}/`,
  `pkg_${"x".repeat(22)}\n`,
  "pkg_..",
  `local_${"0".repeat(32)}`,
  "x".repeat(100_000),
  "",
  7,
  null,
  ["x"],
];

/** Makes a relay answer the list with pages of one's own. */
function paging(relay: StandInRelay, pageOf: (after: string, call: number) => object): void {
  let calls = 0;
  relay.importerApi = [1, 2];
  relay.intercept = ({ method, path, query }) =>
    method === "GET" && path === "/importer/packages"
      ? { status: 200, body: pageOf(query.get("after") ?? "", calls++) }
      : undefined;
}

describe("ids of packages", () => {
  test.each(WRONG_IDS.map((id) => [id]))(
    "[I7] %j is left out, with a sentence, and hides no other",
    async (id) => {
      const relay = await startStandIn({ [idOf("good")]: ["Kick"] });
      const wrong = Object.assign(listed(idOf("x")), { package_id: id });
      paging(relay, () => ({ packages: [wrong, ...relay.packages], next: null }));
      const { packages, trouble } = await linkTo(relay.url).client.packages();
      expect(packages.map(({ package_id }) => package_id)).toEqual([idOf("good")]);
      expect(trouble).toBe(
        `The relay at ${new URL(relay.url).host} lists 1 package that can't be used. Tell its operator.`,
      );
    },
  );

  test("[I7] a folder's path or id in the list imports no folder, automatically or with all", async () => {
    const relay = await startStandIn();
    const { importer, folder, session, inboxFolder } = await importerAtWork(relay.url, {
      more: { autoImport: true },
    });
    const outside = await writeLocalPackage(join(folder, "outside"), "Outside", ["Kick"]);
    const { packageId: localId } = await readLocalPackage(outside);
    const ids = [outside, await realpath(outside), `file://${outside}`, localId];
    paging(relay, () => ({
      packages: ids.map((package_id) => Object.assign(listed(idOf("x")), { package_id })),
      next: null,
    }));
    await importer.start();
    await until(() => importer.state.connection.trouble !== null);
    expect(importer.state.connection.trouble).toMatch(/lists 4 packages that can't be used/);
    await writeLocalPackage(join(inboxFolder, "mine"), "Mine", ["Kick"]);
    const { packages, failures } = await importer.importAll();
    expect(packages.length + importer.state.finished.length).toBeGreaterThan(0);
    expect(failures).toEqual([{ source: relay.url, error: importer.state.connection.trouble }]);
    await until(async () => (await session()).scenes.length === 1);
    expect(JSON.stringify(await session())).not.toContain("Outside");
    expect(relay.calls.some(({ path }) => path.endsWith("/take"))).toBe(false);
  });

  test.each(WRONG_IDS.map(String))("[I7] %j is never a path in the importer's data", (id) => {
    expect(fileNameForId(id)).toMatch(/^[A-Za-z0-9_-]{1,100}$/);
  });

  test.each([
    "@evil.example/",
    "//evil.example/1.wav",
    "/\\evil.example/1.wav",
    "\\\\evil.example\\1.wav",
    "http://evil.example/1.wav",
    "/a b",
    "/ä",
    "/\r\nx: y",
    `/${"x".repeat(100_000)}`,
  ])("[I2][I7] a package whose file is at %j is left out", async (path) => {
    const relay = await startStandIn();
    const wrong = listed(idOf("x"), { files: { "1.wav": path } });
    paging(relay, () => ({ packages: [wrong, listed(idOf("good"))], next: null }));
    const { packages } = await linkTo(relay.url).client.packages();
    expect(packages.map(({ package_id }) => package_id)).toEqual([idOf("good")]);
  });

  test.each([
    ["a span of 1e300 s", { expires_in: 1e300 }],
    ["a negative span", { expires_in: -1 }],
    ["a long name", { app_name: "x".repeat(100_000) }],
    ["no manifest", { manifest: undefined }],
    ["too much that nobody knows", { more: "x".repeat(300_000) }],
    ["results of other sounds", { results: { 1: { status: "imported", notes: [7] } } }],
    ["huge results", { results: { 1: { status: "failed", error: "x".repeat(100_000) } } }],
  ])("[I7] a package with %s is left out", async (_, more) => {
    const relay = await startStandIn();
    paging(relay, () => ({
      packages: [listed(idOf("x"), more), listed(idOf("good"))],
      next: null,
    }));
    const { packages } = await linkTo(relay.url).client.packages();
    expect(packages.map(({ package_id }) => package_id)).toEqual([idOf("good")]);
  });

  test("[I7] a manifest of more sounds than a package can have is left out", async () => {
    const relay = await startStandIn();
    const one = listed(idOf("x"));
    const [sound] = one.manifest.items;
    const manifest = { ...one.manifest, items: Array.from({ length: 33 }, () => sound) };
    paging(relay, () => ({ packages: [{ ...one, manifest }], next: null }));
    expect((await linkTo(relay.url).client.packages()).packages).toEqual([]);
  });
});

describe("a list without end", () => {
  test("[I7] of packages is cut at 2,000, with a sentence", async () => {
    const relay = await startStandIn();
    let made = 0;
    paging(relay, () => ({
      packages: Array.from({ length: 100 }, () => listed(idOf((made += 1)))),
      next: `after-${made}`,
    }));
    const { packages, trouble } = await linkTo(relay.url).client.packages();
    expect(packages).toHaveLength(MAX_LISTED_PACKAGES);
    expect(trouble).toBe(
      `${new URL(relay.url).host} lists more than 2000 packages. The others aren't shown.`,
    );
    expect(made).toBe(2100);
  });

  test("[I7] of one package again and again is cut, too", async () => {
    const relay = await startStandIn();
    let pages = 0;
    const page = Array.from({ length: 100 }, () => listed(idOf("x")));
    paging(relay, () => ({ packages: page, next: `after-${(pages += 1)}` }));
    expect((await linkTo(relay.url).client.packages()).packages).toHaveLength(1);
    expect(pages).toBe(21);
  });

  test.each([
    ["the same cursor", () => ({ packages: [listed(idOf("x"))], next: "a" }), 1],
    [
      "ever new cursors of empty pages",
      (_: string, n: number) => ({ packages: [], next: `c${n}` }),
      0,
    ],
  ])("[I7] by %s ends with what was read, and a sentence", async (_, pageOf, found) => {
    const relay = await startStandIn();
    paging(relay, pageOf);
    const { packages, trouble } = await linkTo(relay.url).client.packages();
    expect(packages).toHaveLength(found);
    expect(trouble).toMatch(/has no end\. Tell its operator\.$/);
    expect(relay.callsTo("GET", "/importer/packages").length).toBeLessThan(20);
  });

  test("[I5][I7] a page whose packages were all withdrawn doesn't end it", async () => {
    const relay = await startStandIn();
    paging(relay, (after) =>
      after === "" ? { packages: [], next: "a" } : { packages: [listed(idOf("x"))], next: null },
    );
    const { packages, trouble } = await linkTo(relay.url).client.packages();
    expect([packages.length, trouble]).toEqual([1, undefined]);
  });

  test("[I7] of slow pages ends after two minutes, with what was read", async () => {
    let [now, at] = [0, 0];
    const list = new PackageList({
      readPage: async () => {
        now += 29_000;
        return { packages: [listed(idOf((at += 1)))], next: String(at) };
      },
      readPackage: () => Promise.reject(new Error("not asked")),
      host: "slow.example",
      now: () => now,
    });
    const { packages, trouble } = await list.read();
    expect([packages.length, trouble]).toEqual([
      5,
      "The relay at slow.example is too slow. Not everything of its list is shown.",
    ]);
  });

  test("[I7] results are read no longer than that either", async () => {
    let now = 0;
    const ids = Array.from({ length: 40 }, (_, at) => idOf(at));
    let reads = 0;
    const list = new PackageList({
      readPage: async () => ({
        packages: ids.map((id) => listed(id, { status: "imported", version: 1 })),
        next: null,
      }),
      readPackage: async (id) => {
        now += 29_000;
        reads += 1;
        return listed(id, { results: { 1: { status: "imported" } } });
      },
      host: "slow.example",
      now: () => now,
    });
    const { packages, trouble } = await list.read();
    expect([packages.length, reads < 12, trouble?.includes("too slow")]).toEqual([40, true, true]);
  });

  test("[I7] of large packages and results is cut by its size", async () => {
    const packages = Array.from({ length: 300 }, (_, at) =>
      listed(idOf(at), { status: "imported", version: 1, more: "x".repeat(60_000) }),
    );
    const results = { 1: { status: "failed", error: "y".repeat(60_000) } } as const;
    const list = new PackageList({
      readPage: async () => ({ packages: packages.slice(0, 200), next: null }),
      readPackage: async (id) => listed(id, { results }),
      host: "large.example",
      now: () => 0,
    });
    const read = await list.read();
    expect(JSON.stringify(read).length).toBeLessThan(17 * 1024 ** 2);
    expect(read.trouble).toMatch(/^The list of packages at large\.example is too large\./);
    expect(read.packages).toHaveLength(200);
  });

  test("[I7] what a relay lists wrongly is shown until its list is right", async () => {
    const relay = await startStandIn();
    const wrong = Object.assign(listed(idOf("x")), { package_id: "../x" });
    relay.importerApi = [1, 2];
    paging(relay, () => ({ packages: [wrong], next: null }));
    const { importer } = await connected(relay.url);
    await until(() => importer.state.connection.trouble !== null);
    await importer.apps();
    expect(importer.state.connection.trouble).toMatch(/can't be used/);
    expect((await importer.packages()).relay_note).toMatch(/can't be used/);
    relay.intercept = () => undefined;
    offerPackage(relay, idOf("good"), ["Kick"]);
    expect((await importer.packages()).packages).toHaveLength(1);
    expect(importer.state.connection.trouble).toBeNull();
  });
});
