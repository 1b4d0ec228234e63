import { createHash } from "node:crypto";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkPackage } from "../../../../cli/layout/check/check-package.ts";
import { formatReportPage, type ReportSide } from "../../../../cli/layout/check/report-page.ts";
import { readReport } from "../../../../cli/layout/check/report-sounds.ts";
import { updateGolden } from "../../../../cli/layout/golden.ts";
import { readPackageFolder } from "../../../../cli/layout/read-package-folder.ts";
import { temporaryFolder } from "../../../addon/temporary-folder.ts";
import { anyText } from "../../../core/text/any-text.ts";
import { TWO_HITS, writeManifest, writePackage } from "../package-folders.ts";
import { sampleCheck, sampleProblem } from "./sample-checks.ts";

const SIDE: ReportSide = {
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
      { checked, sounds: [{ ...sound, accepted: linked, now: SIDE }] },
      { checked, sounds: [] },
    ],
    { style: "p{}", summary: text },
  );
}

const TAG = /<\/?[a-z!][^>]*>/gi;
const tagsOf = (page: string) => (page.match(TAG) ?? []).map((tag) => tag.replace(/ .*/s, ""));

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
    expect(page).not.toMatch(/[\u0000-\u0008\u202a-\u202e]/u);
  };
  say('"><script>alert(1)</script><img src=x onerror="alert(1)">');
  say("</title></style><!-- ]]>\u0000\u202e");
  fc.assert(fc.property(anyText, say), { numRuns: 50 });
});

/** A package that was accepted, is kept in a base, and differs now in all its sounds. */
async function setUp() {
  const root = await temporaryFolder();
  const [folder, base] = [join(root, "now/packages/kit"), join(root, "base")];
  await writePackage(folder);
  await updateGolden(await readPackageFolder(folder));
  await cp(join(root, "now"), base, { recursive: true });
  const items = TWO_HITS.map((item) => ({ ...item, gain_db: -9 }));
  await writeManifest(folder, { title: "Found", items });
  const folders = { page: join(root, "reports/page.html"), base, root: join(root, "now") };
  const check = async () => [await checkPackage(await readPackageFolder(folder))];
  return { root, folder, folders, check };
}

const kindOf = ({ audio }: ReportSide) =>
  audio === null ? "none" : "uri" in audio ? "player" : "link";

test("[B11] shows the sounds with problems, with the old ones of the base's package at the same path", async () => {
  const { folder, folders, check } = await setUp();
  const [shown] = await readReport(await check(), folders);
  expect(shown?.sounds.map(({ name, file }) => [name, file])).toEqual([
    ["Hit", "hit.wav"],
    ["Tick", "tick.wav"],
  ]);
  expect(shown?.sounds.map(({ accepted, now }) => [kindOf(accepted), kindOf(now)])).toEqual([
    ["player", "player"],
    ["player", "player"],
  ]);
  const alone = await readReport(await check(), { ...folders, base: undefined });
  expect(alone[0]?.sounds.map(({ accepted }) => kindOf(accepted))).toEqual(["none", "none"]);
  const outside = await readReport(await check(), { ...folders, root: join(folder, "expected") });
  expect(outside[0]?.sounds.map(({ accepted }) => kindOf(accepted))).toEqual(["none", "none"]);
  await writeFile(join(folders.base, "packages/kit/manifest.json"), "{");
  const broken = await readReport(await check(), folders);
  expect(broken[0]?.sounds.map(({ accepted, now }) => [kindOf(accepted), kindOf(now)])).toEqual([
    ["none", "player"],
    ["none", "player"],
  ]);
});

test("[B11] what doesn't fit is linked by a path that leads from the page to the file", async () => {
  const { folder, folders, check } = await setUp();
  await mkdir(join(folders.page, ".."));
  const checked = await check();
  const tooLarge = await readReport(checked, folders, { sound: 10, page: 1e9 });
  expect(tooLarge[0]?.sounds[0]?.now.audio).toEqual({
    sentence: "This sound is too large for a player here.",
    href: "../now/packages/kit/hit.wav",
  });
  const { headers } = await readPackageFolder(folder);
  const header = headers.get("1");
  if (header === undefined || "error" in header) throw new Error("The sound can't be read.");
  const oneFits = 4 * Math.ceil(header.fileBytes / 3);
  const full = await readReport(checked, folders, { sound: 1e9, page: 2 * oneFits });
  // New sounds come first: the old ones get what is left.
  expect(full[0]?.sounds.map(({ accepted, now }) => [kindOf(accepted), kindOf(now)])).toEqual([
    ["link", "player"],
    ["link", "player"],
  ]);
});

test("[B11] a sound that disappeared while the page was made is a sentence, not a failure", async () => {
  const { folder, folders, check } = await setUp();
  const checked = await check();
  await rm(join(folder, "hit.wav"));
  const [shown] = await readReport(checked, folders);
  expect(shown?.sounds[0]?.now).toMatchObject({
    peaks: null,
    note: "hit.wav is not in the package's folder.",
  });
  expect(shown?.sounds[1]?.now.peaks).not.toBeNull();
});

test("[B11] a package without an accepted layout shows all its sounds, before and now", async () => {
  const { folder, folders, check } = await setUp();
  await rm(join(folder, "expected"), { recursive: true });
  const [shown] = await readReport(await check(), folders);
  expect(shown?.sounds.map(({ accepted }) => accepted.title)).toEqual(["Before", "Before"]);
  const [alone] = await readReport(await check(), { ...folders, base: undefined });
  expect(alone?.sounds[0]?.accepted).toMatchObject({
    title: "Accepted",
    note: "Nothing was accepted yet.",
  });
});
