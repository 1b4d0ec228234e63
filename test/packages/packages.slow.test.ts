import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VERSION } from "../../core/version.ts";
import { buildPackages } from "../../scripts/packages/build-packages.ts";
import {
  BUNDLER,
  COMMONJS,
  compilation,
  IN_A_BROWSER,
  NODE10,
  NODE16,
  NODENEXT,
  WITH_NODE,
} from "./compilers.ts";
import { ESBUILD, VITE } from "./bundlers.ts";
import { findProblems } from "./find-problems.ts";
import { bytesCode } from "../client/code-for-pages.ts";
import { importerAtWork } from "../addon/importer-at-work.ts";
import { describeInBrowser, useBrowser } from "../panel/panel-browser.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { smallWav } from "../wav-bytes.ts";
import { servePage } from "./page-server.ts";
import { dependenciesOf, Project } from "./project.ts";
import { IN_NODE, ON_A_PAGE, ON_A_SERVER, SENDING_PAGE } from "./programs.ts";

// Builds every package once, installs each into an empty project without a network, and uses it.

let folder = "";
const pages = useBrowser();
let app: Project;
let server: Project;
const packed = (name: string) => join(folder, "packed", `${name}-${VERSION}.tgz`);

const ENTRIES = [
  ...["", "/layout", "/node"].map((path) => [`@soundferry/client${path}`, () => app] as const),
  ...["core", "addon", "relay", "relay/testing"].map(
    (path) => [`soundferry/${path}`, () => server] as const,
  ),
];

beforeAll(async () => {
  folder = await mkdtemp(join(await realpath(tmpdir()), "soundferry-packages-"));
  await buildPackages(join(folder, "packed"));
  app = await Project.make(join(folder, "app"));
  await app.install([packed("soundferry-client")]);
  server = await Project.make(join(folder, "server"));
  await server.install([packed("soundferry")], await dependenciesOf("package.json"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("[PK1] all files carry the version, and nothing else is there", async () => {
  const names = ["soundferry", "soundferry-client"].map((name) => `${name}-${VERSION}.tgz`);
  expect((await readdir(join(folder, "packed"))).toSorted()).toEqual(names.toSorted());
});

test.each(["soundferry", "soundferry-client"])(
  "[PK2] %s has no mistake in its package.json",
  async (name) => {
    expect(await findProblems(packed(name))).toEqual([]);
  },
);

test("[PK2][W11] @soundferry/client installs no other package", async () => {
  const installed = await readdir(join(app.folder, "node_modules"));
  expect(installed.filter((name) => !name.startsWith("."))).toEqual(["@soundferry"]);
  const files = await readdir(join(app.folder, "node_modules/@soundferry/client"));
  expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
});

describe("in Node", () => {
  test("[PK2][W11] the client's entries load, and share their classes", async () => {
    await app.write(
      "try.js",
      `import { ClientError, SoundferryClient } from "@soundferry/client";
       import { beatsOf } from "@soundferry/client/layout";
       import { IN_NODE, soundFile } from "@soundferry/client/node";
       const codes = [];
       for (const act of [() => beatsOf(new Uint8Array(9), 120), () => soundFile("nowhere.wav")]) {
         await act().catch((error) => codes.push(error instanceof ClientError && error.code));
       }
       console.log(typeof SoundferryClient, typeof IN_NODE.sha256, codes.join());`,
    );
    expect(await app.run("try.js")).toBe("function function WAV_NOT_RIFF,SOUND_UNREADABLE");
  });

  test("[PK2] the library's entries load", async () => {
    await server.write(
      "try.js",
      `import { VERSION } from "soundferry/core";
       import { buildImporter } from "soundferry/addon";
       import { buildRelay } from "soundferry/relay";
       import * as suites from "soundferry/relay/testing";
       console.log(VERSION, typeof buildImporter, typeof buildRelay, Object.keys(suites).length > 5);`,
    );
    expect(await server.run("try.js")).toBe(`${VERSION} function function true`);
  });

  test.each(ENTRIES)(
    "[PK3] require loads %s, and where Node can't it says what to do",
    async (entry, project) => {
      await project().write("try.cjs", `console.log(typeof require("${entry}"));`);
      expect(await project().run("try.cjs")).toBe("object");
      // As in Node before 20.19 and 22.12.
      const failure = await project().runBadly("--no-require-module", "try.cjs");
      expect(failure).toMatch(
        /ERR_REQUIRE_ESM[^]*Instead change the require[^]* to a dynamic import\(\)/,
      );
    },
  );
});

describe("TypeScript, strict", () => {
  const page = { where: "on a page", text: ON_A_PAGE, project: () => app, more: IN_A_BROWSER };
  const node = { where: "in Node", text: IN_NODE, project: () => app, more: WITH_NODE };
  // Its types are those of its dependencies, too.
  const lenient = { ...WITH_NODE, skipLibCheck: true };
  const embedded = {
    where: "on a server",
    text: ON_A_SERVER,
    project: () => server,
    more: lenient,
  };

  describe.each([
    { how: BUNDLER, programs: [page] },
    { how: NODENEXT, programs: [node, embedded] },
    { how: COMMONJS, programs: [node, embedded] },
    { how: NODE10, programs: [page, node, embedded] },
  ])("with $how.title", ({ how, programs }) => {
    test.each(programs)("[PK4][W11] a program $where has its types", async (program) => {
      const project = program.project();
      const words = await compilation(project, program.text, how, program.more);
      expect(await project.run(...words)).toBe("");
    });
  });

  test("[PK4] with node16 a CommonJS program reads what to do", async () => {
    const failure = await app.runBadly(...(await compilation(app, IN_NODE, NODE16, WITH_NODE)));
    expect(failure).toMatch(/TS1479[^]*dynamic 'import\("@soundferry\/client"\)'/);
  });
});

describe.each([ESBUILD, VITE])("bundled by $title", ({ title, build }) => {
  test("[PK5] the client's entries for pages give no warning", async () => {
    await app.write("page.js", SENDING_PAGE);
    expect(await build(app, "page.js", `by-${title}`)).toEqual([]);
    expect(await readdir(join(app.folder, `by-${title}`))).toContain("page.js");
  });
});

describeInBrowser("in a page in Chromium (needs Chromium)", () => {
  test.each([ESBUILD, VITE])(
    "[PK5] what $title bundled sends a sound",
    async ({ title, build }) => {
      await app.write("page.js", SENDING_PAGE);
      await build(app, "page.js", `to-send-by-${title}`);
      await using relay = await RunningRelay.start();
      const { importer } = await importerAtWork(relay.url);
      const { code } = await importer.pairingCode();
      await using server = await servePage(join(app.folder, `to-send-by-${title}`));
      const page = await pages.open(server.url);
      const send = `send("${relay.url}", "${code}", ${bytesCode(smallWav())})`;
      expect(await page.evaluate(send)).toEqual({ status: "waiting", scene: "Untitled (App)" });
    },
  );
});
