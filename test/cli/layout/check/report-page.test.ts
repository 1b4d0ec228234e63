import { createHash } from "node:crypto";
import { cp, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  formatReportPage,
  type ReportPackage,
  type SoundVersion,
} from "../../../../cli/layout/check/report-page.ts";
import { type ReportFolders, readReport } from "../../../../cli/layout/check/report-sounds.ts";
import { temporaryFolder } from "../../../addon/temporary-folder.ts";
import { anyText } from "../../../core/text/any-text.ts";
import { TWO_HITS, writeManifest, writePackage } from "../package-folders.ts";
import { smallWav } from "../../../wav-bytes.ts";
import { acceptFolder, checkFolder } from "./check-folders.ts";
import { sampleCheck, sampleProblem } from "./sample-checks.ts";

const SIDE: SoundVersion = {
  title: "Now",
  peaks: [0, 1, 0.5],
  seconds: 2,
  facts: "2 s",
  note: "",
  audio: { uri: "data:audio/wav;base64,UklGRg==" },
};

function pageOf(text: string): string {
  const change = sampleProblem({ name: text, label: text, changes: [[text, text]] });
  const finding = sampleProblem({ severity: "warning", changes: [], sentence: text });
  const ofPackage = sampleProblem({ sound: null, name: "", changes: [], sentence: text });
  const checked = sampleCheck([change, finding, ofPackage], {
    scene: text,
    folder: text,
    manifestPath: text,
  });
  const linked = { ...SIDE, peaks: null, note: text, audio: { sentence: text, href: "a.wav" } };
  const sound = { name: text, file: text, problems: [change, finding] };
  return formatReportPage(
    [
      { checked, sounds: [{ ...sound, versions: [linked, SIDE] }] },
      { checked, sounds: [] },
    ],
    { style: "p{}", summary: text },
  );
}

const TAG = /<\/?[a-z!][^>]*>/gi;
const tagsOf = (page: string) => (page.match(TAG) ?? []).map((tag) => tag.replace(/\s.*/s, ""));

test("[B11] a page has the same elements whatever the names, no script, and a policy that allows none", () => {
  const plain = pageOf("Kick");
  const hash = createHash("sha256").update("p{}").digest("base64");
  expect(plain).toContain(
    `content="default-src 'none'; style-src 'sha256-${hash}'; img-src data:; media-src data:; base-uri 'none'; form-action 'none'"`,
  );
  expect(plain).not.toMatch(/<script|javascript:|\son\w+=|\sstyle=/i);
  const elements = tagsOf(plain);
  expect(elements).toContain("<audio");
  const say = (text: string): void => {
    const page = pageOf(text);
    expect(tagsOf(page)).toEqual(elements);
    expect(page).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
  };
  say('"><script>alert(1)</script><img src=x onerror="alert(1)">');
  say("</title></style><!-- ]]>\u0000\u202e");
  fc.assert(fc.property(anyText, say), { numRuns: 50 });
});

/** A package that was accepted, is kept in a base, and of which one sound differs now in its audio, one in its gain. */
async function setUp() {
  const root = await temporaryFolder();
  const [folder, base] = [join(root, "now/packages/kit"), join(root, "base")];
  await writePackage(folder);
  await acceptFolder(folder);
  await cp(join(root, "now"), base, { recursive: true });
  const [hit, tick] = TWO_HITS;
  if (hit === undefined || tick === undefined) throw new Error("There are two hits.");
  await writeManifest(folder, { title: "Found", items: [hit, { ...tick, gain_db: -9 }] });
  await writeFile(join(folder, "hit.wav"), smallWav({ frames: 50, fill: 64 }));
  const folders = { page: join(root, "reports/page.html"), base, root: join(root, "now") };
  const check = async () => [await checkFolder(folder)];
  return { root, folder, folders, check };
}

const kindOf = ({ audio }: SoundVersion) =>
  audio === null ? "none" : "uri" in audio ? "player" : "link";
/** Each sound's versions, such as `Now: player`. */
const versionsOf = (report: ReportPackage | undefined) =>
  report?.sounds.map(({ versions }) =>
    versions.map((version) => `${version.title}: ${kindOf(version)}`),
  );

test("[B11] shows both versions of a sound whose audio differs, and one of a sound with the same audio", async () => {
  const { folders, check } = await setUp();
  const [shown] = await readReport(await check(), folders);
  expect(shown?.sounds.map(({ name, file }) => [name, file])).toEqual([
    ["Hit", "hit.wav"],
    ["Tick", "tick.wav"],
  ]);
  expect(versionsOf(shown)).toEqual([["Accepted: player", "Now: player"], ["As accepted: player"]]);
  const [accepted, now] = shown?.sounds[0]?.versions ?? [];
  // Two columns at least: the golden's envelope, and the file's.
  expect([accepted?.peaks?.at(0), now?.peaks?.at(0)]).toEqual([
    expect.closeTo(0, 1),
    expect.closeTo(0.5, 1),
  ]);
  expect([accepted?.facts, now?.facts]).toEqual([
    "0.1 s · 44.1 kHz · 16 bit · mono",
    "0.1 s · 44.1 kHz · 16 bit · mono",
  ]);
});

test("[B11] the old sound comes from the base's package at the same path, if it is the accepted one", async () => {
  const { folder, folders, check } = await setUp();
  const versions = async (changes: Partial<ReportFolders>) =>
    versionsOf((await readReport(await check(), { ...folders, ...changes }))[0])?.[0];
  const alone = ["Accepted: none", "Now: player"];
  expect(await versions({ base: undefined })).toEqual(alone);
  expect(await versions({ root: join(folder, "expected") })).toEqual(alone);
  await writeFile(join(folders.base, "packages/kit/hit.wav"), smallWav({ frames: 50, fill: 9 }));
  const [other] = await readReport(await check(), folders);
  expect(other?.sounds[0]?.versions[0]?.audio).toEqual({
    sentence: "The base has a different sound from the accepted one.",
    href: null,
  });
  await writeFile(join(folders.base, "packages/kit/manifest.json"), "{");
  expect(await versions({})).toEqual(alone);
});

test("[B11] what doesn't fit is linked by a path that leads from the page to the file", async () => {
  const { folder, folders, check } = await setUp();
  await mkdir(join(folders.page, ".."));
  const checked = await check();
  const tooLarge = await readReport(checked, folders, { sound: 10, page: 1e9 });
  expect(tooLarge[0]?.sounds[0]?.versions[1]?.audio).toEqual({
    sentence: "This sound is too large for a player here.",
    href: "../now/packages/kit/hit.wav",
  });
  const sizes = await Promise.all(
    ["hit.wav", "tick.wav"].map(async (name) => (await stat(join(folder, name))).size),
  );
  const room = sizes.reduce((sum, size) => sum + 4 * Math.ceil(size / 3), 0);
  const [full] = await readReport(checked, folders, { sound: 1e9, page: room });
  // New sounds come first: the old ones get what is left.
  expect(versionsOf(full)).toEqual([["Accepted: link", "Now: player"], ["As accepted: player"]]);
});

test("[B11] a sound that disappeared while the page was made is a sentence, not a failure", async () => {
  const { folder, folders, check } = await setUp();
  const checked = await check();
  await rm(join(folder, "hit.wav"));
  const [shown] = await readReport(checked, folders);
  expect(shown?.sounds[0]?.versions[1]?.audio).toEqual({
    sentence: "hit.wav is not in the package's folder.",
    href: null,
  });
  expect(versionsOf(shown)?.[1]).toEqual(["As accepted: player"]);
});

test("[B11] a sound that is missing, or no longer there, says so beside the accepted one", async () => {
  const { folder, folders, check } = await setUp();
  await writeManifest(folder, { title: "Found", items: TWO_HITS.slice(0, 1) });
  await rm(join(folder, "hit.wav"));
  const [shown] = await readReport(await check(), folders);
  expect(shown?.sounds.map(({ versions }) => versions.at(-1)?.note)).toEqual([
    "hit.wav is not in the package's folder.",
    "No longer there.",
  ]);
  expect(versionsOf(shown)).toEqual([
    ["Accepted: player", "Now: none"],
    ["Accepted: player", "Now: none"],
  ]);
});

test("[B11] a package without an accepted layout shows all its sounds, before and now", async () => {
  const { folder, folders, check } = await setUp();
  await rm(join(folder, "expected"), { recursive: true });
  const [shown] = await readReport(await check(), folders);
  expect(versionsOf(shown)).toEqual([
    ["Before: player", "Now: player"],
    ["Before: player", "Now: player"],
  ]);
  const [alone] = await readReport(await check(), { ...folders, base: undefined });
  expect(alone?.sounds[0]?.versions[0]).toMatchObject({
    title: "Accepted",
    note: "Nothing was accepted yet.",
  });
});
