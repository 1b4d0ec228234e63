import { expect, test, onTestFinished } from "vitest";
import { ControlError } from "../../../addon/control/control-call.ts";
import { AlreadyPlacedError } from "../../../addon/hosts/already-placed.ts";
import { RelayError } from "../../../addon/relay/relay-errors.ts";
import { importFailure } from "../../../cli/commands/importer/format-outcome.ts";
import { followImports, importCommand } from "../../../cli/commands/importer/import-command.ts";
import { WrongUse } from "../../../cli/fail.ts";
import {
  formatCode,
  formatCodeAgain,
  formatCodeOver,
  formatFixedCode,
} from "../../../cli/commands/importer/pairing-code.ts";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openImporter } from "../../../addon/control/open-importer.ts";
import { gunzipSync } from "node:zlib";
import { liveSetPath } from "../../../addon/hosts/live-set/live-set-file.ts";
import { dawprojectPath } from "../../../addon/hosts/dawproject/dawproject-file.ts";
import { readDawproject } from "../../../addon/hosts/dawproject/read-dawproject.ts";
import { readPreviewSession } from "../../../addon/hosts/preview/preview-session.ts";
import { withOwnHosts } from "../../../cli/commands/importer/importer-options.ts";
import { previewSessionIn } from "../../../cli/hosts.ts";
import { settingsIn } from "../../addon/importer-at-work.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";

test.each([
  [["--all", "--arrangement"]],
  [["kit", "--arrangement", "--host", "preview"]],
  [["kit", "--arrangement", "--host", "live-set"]],
])("[K2] an arrangement is for a DAWproject alone: %j", async (words) => {
  const asked = importCommand().parseAsync(words, { from: "user" });
  await expect(asked).rejects.toThrow(new WrongUse("--arrangement needs --host dawproject."));
});

test("[R10][K2] sounds are chosen of named packages, not of --all", async () => {
  const asked = importCommand().parseAsync(["--all", "--only", "Kick"], { from: "user" });
  await expect(asked).rejects.toThrow(
    new WrongUse("--only chooses sounds of the packages that you name, not of --all."),
  );
});

test("[R1] a lost connection is said once, until bytes come again", () => {
  const lines: string[] = [];
  const { onProgress } = followImports({ say: (line) => lines.push(line), give: () => undefined });
  const bytes = { doneBytes: 10, totalBytes: 100 };
  const retrying = (secondsLeft: number) =>
    onProgress({
      packageId: "pkg_1",
      title: "Kit",
      progress: { phase: "retrying", secondsLeft, ...bytes },
    });
  retrying(300);
  retrying(290);
  onProgress({ packageId: "pkg_1", title: "Kit", progress: { phase: "fetching", ...bytes } });
  retrying(45);
  expect(lines).toEqual([
    "Kit: the connection was lost. Trying again… (5 min left)",
    "Kit: the connection was lost. Trying again… (45 s left)",
  ]);
});

test("[R4][K2] names the flag that imports a package again", () => {
  const here = new AlreadyPlacedError("Kit", []);
  const there = new ControlError(500, here.message, { code: here.code });
  for (const error of [here, there]) {
    expect(importFailure(error)).toMatch(
      /^An earlier import of Kit .* To import it anyway, add --again\.$/,
    );
  }
});

test("[K2] names the flag that takes over a package from another run", () => {
  const held = new RelayError(409, "Another import is running. Try again in 55 s.", {
    code: "RUN_ELSEWHERE",
  });
  expect(importFailure(held)).toBe(`${held.message} To take it over, add --take-over.`);
});

test("leaves other failures unchanged", () => {
  expect(importFailure(new Error("The disk is full."))).toBe("The disk is full.");
});

test("prints a code with its lifetime, in whole minutes from two minutes up", () => {
  expect(formatCode({ code: "K7MQ2X", expires_in: 600 })).toContain(
    "│    K7M Q2X    │  pairing code, expires in 10 minutes\n",
  );
  expect(formatCode({ code: "K7MQ2X", expires_in: 119 })).toContain("expires in 119 seconds\n");
});

test("[P2] a code that is over isn't renewed: says how to get another one", () => {
  const way = "in the panel, or with npm run --silent soundferry -- importer code.";
  expect(formatCodeOver({ isUsed: true })).toBe(`Pair another app ${way}`);
  expect(formatCodeOver({ isUsed: false })).toBe(
    `The pairing code has expired. Get another one ${way}`,
  );
});

test("[K2] shows no lifetime for a code that is renewed automatically", () => {
  expect(formatFixedCode("K7MQ2X")).toContain(
    "│    K7M Q2X    │  pairing code, valid again after each use\n",
  );
  expect(formatCodeAgain("K7MQ2X")).toBe("The pairing code K7M Q2X is valid again.");
});

const KIT = join(import.meta.dirname, "../../../fixtures/packages/half-beat-lengths");

test.each([
  { host: "dawproject", isLaidOut: false },
  { host: "dawproject-arrangement", isLaidOut: true },
])(
  "[R7] the command's importer writes a DAWproject and leaves the preview as it is: $host",
  async ({ host, isLaidOut }) => {
    const settings = settingsIn(await temporaryFolder(), null);
    const { importer, ...opened } = await openImporter(
      await withOwnHosts(settings, ["live", "preview"]),
    );
    onTestFinished(() => opened[Symbol.asyncDispose]());
    const { status, folder, tracks } = await importer.import(KIT, { host });
    expect(status).toBe("imported");
    const path = dawprojectPath(folder ?? "", { withArrangement: isLaidOut });
    expect(await readDawproject(path)).toHaveLength(tracks.length);
    const project = await readFile(path, "latin1");
    expect(project.includes("<Markers")).toBe(isLaidOut);
    expect((await readPreviewSession(previewSessionIn(settings))).tracks).toEqual([]);
  },
);

test("[R7][D7] --all treats a DAWproject with an arrangement as a host of its own", async () => {
  const settings = settingsIn(await temporaryFolder(), null);
  await cp(KIT, join(settings.inboxFolder, "Kit"), { recursive: true });
  const { importer, ...opened } = await openImporter(
    await withOwnHosts(settings, ["live", "preview"]),
  );
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const importedInto = async (host: string) =>
    (await importer.importAll({ host })).packages.map(({ status }) => status);
  for (const host of ["dawproject", "dawproject-arrangement"]) {
    expect(await importedInto(host), host).toEqual(["imported"]);
    expect(await importedInto(host), host).toEqual([]);
  }
});

test("[LS8][LS12] a Live Set file has the shape of a template, also where another process imports", async () => {
  const settings = settingsIn(await temporaryFolder(), null);
  const options = await withOwnHosts(settings, ["live", "preview"]);
  for (const turn of ["8.25", "9.5"]) {
    const { importer, ...opened } = await openImporter(options);
    onTestFinished(() => opened[Symbol.asyncDispose]());
    const template = join(settings.dataFolder, "template.als");
    await writeFile(template, "no Set");
    const host = "live-set";
    const refused = importer.import(KIT, { host, template });
    await expect(refused, turn).rejects.toThrow("The template can't be read.");
    const { folder } = await importer.import(KIT, { host, again: true });
    const path = liveSetPath(folder ?? "");
    const text = gunzipSync(await readFile(path)).toString("utf8");
    await writeFile(
      template,
      text.replace('<CurrentTime Value="0"', `<CurrentTime Value="${turn}"`),
    );
    const { status, tracks } = await importer.import(KIT, { host, template, again: true });
    expect(status).toBe("imported");
    expect(tracks[0]?.notes).toContain(
      "In a Live Set file: experimental, not yet opened in a real Live.",
    );
    expect(gunzipSync(await readFile(path)).toString("utf8")).toContain(
      `<CurrentTime Value="${turn}"`,
    );
  }
});

test.each([
  [["kit", "--template", "a.als"]],
  [["--all", "--template", "a.als", "--host", "live-set"]],
])("[K2][LS12] a template is for Live Set files of named packages: %j", async (words) => {
  const asked = importCommand().parseAsync(words, { from: "user" });
  await expect(asked).rejects.toThrow(
    new WrongUse("--template is for --host live-set and packages that you name."),
  );
});
