import { expect, test } from "vitest";
import { checkLiveSet } from "../../../../core/live-set/check/check-live-set.ts";
import { parseXmlTree } from "../../../../core/live-set/xml-tree.ts";
import {
  type Change,
  CLIP,
  drop,
  type Expected,
  expectFault,
  FILE,
  faultsIn,
  filesWith,
  GOOD,
  HIT,
  swap,
} from "./good-set.ts";

type Row = readonly [what: string, Change, Expected];

const MARKERS = `${CLIP}/WarpMarkers`;
const LOOP = `${CLIP}/Loop`;
const FILE_REF = `${CLIP}/SampleRef/FileRef`;
const IN_HIT = '<Name Value="Hit" />';

const value = (member: string, from: string, to: string, after = "") =>
  swap(`<${member} Value="${from}"`, `<${member} Value="${to}"`, after);
/** Changes a value of the one-shot's loop, which stands before its name. */
const inHit =
  (member: string, from: string, to: string): Change =>
  (xml) => {
    const start = xml.lastIndexOf("<Loop>", xml.indexOf(IN_HIT));
    return xml.slice(0, start) + value(member, from, to)(xml.slice(start));
  };

const CLIPS: readonly (readonly [rule: string, ...Row])[] = [
  [
    "LS30",
    "a warped clip with one marker",
    (xml) => drop("WarpMarker")(drop("WarpMarker")(xml)),
    { code: "MARKERS", path: MARKERS },
  ],
  [
    "LS30",
    "a warped clip without markers",
    (xml) => xml.replace(/<WarpMarkers>[^]*?<\/WarpMarkers>/, "<WarpMarkers />"),
    { code: "MARKERS", path: MARKERS },
  ],
  [
    "LS30",
    "markers in another order",
    (xml) => xml.replace(/(\t*<WarpMarker .*\n)(\t*<WarpMarker .*\n)/, "$2$1"),
    { code: "MARKERS_FALL", path: `${MARKERS}/WarpMarker[Id=0]` },
  ],
  [
    "LS30",
    "two markers at one second",
    swap('SecTime="4"', 'SecTime="0"'),
    { code: "MARKERS_FALL", path: `${MARKERS}/WarpMarker[Id=1]` },
  ],
  [
    "LS30",
    "two markers at one beat",
    swap('BeatTime="8.03125"', 'BeatTime="8"'),
    { code: "MARKERS_FALL", path: `${MARKERS}/WarpMarker[Id=2]` },
  ],
  [
    "LS30",
    "a marker without a time",
    swap('SecTime="4" ', ""),
    {
      code: "ATTRIBUTE_MISSING",
      path: `${MARKERS}/WarpMarker[Id=1]`,
      also: ["MARKERS_FALL"],
    },
  ],
  [
    "LS31",
    "a loop that ends where it starts",
    value("LoopEnd", "8", "0"),
    { code: "LOOP", path: `${LOOP}/LoopEnd` },
  ],
  [
    "LS31",
    "a hidden loop the wrong way round",
    value("HiddenLoopStart", "0", "9"),
    { code: "LOOP", path: `${LOOP}/HiddenLoopEnd` },
  ],
  [
    "LS31",
    "an end before the start marker",
    value("StartRelative", "0", "8"),
    { code: "LOOP", path: `${LOOP}/OutMarker` },
  ],
  [
    "LS31",
    "a part that plays the wrong way round",
    value("CurrentEnd", "8", "-1"),
    { code: "LOOP", path: `${CLIP}/CurrentEnd` },
  ],
  [
    "LS31",
    "an unwarped clip that loops",
    inHit("LoopOn", "false", "true"),
    { code: "LOOP_UNWARPED", path: `${HIT}/Loop` },
  ],
  [
    "LS31",
    "an unwarped clip in beats",
    inHit("LoopEnd", "4", "8"),
    { code: "BEYOND_FILE", path: `${HIT}/Loop/LoopEnd` },
  ],
];

const PATHS: readonly Row[] = [
  [
    "a relative path of Windows",
    value("RelativePath", "Samples/Imported/Loop.wav", "Samples\\Imported\\Loop.wav"),
    { code: "PATH_FORM", path: `${FILE_REF}/RelativePath` },
  ],
  [
    "a relative path that isn't one",
    value("RelativePath", "Samples/Imported/Loop.wav", "/Sets/Loop.wav"),
    { code: "PATH_FORM", path: `${FILE_REF}/RelativePath` },
  ],
  [
    "a way out of the project",
    value("RelativePath", "Samples/Imported/Loop.wav", "../Loop.wav"),
    { code: "PATH_FORM", path: `${FILE_REF}/RelativePath` },
  ],
  [
    "no relative path",
    value("RelativePath", "Samples/Imported/Loop.wav", ""),
    { code: "PATH_EMPTY", path: `${FILE_REF}/RelativePath` },
  ],
  [
    "no path at all",
    (xml) => value("Path", "/Sets/Loop.wav", "")(value("RelativePathType", "3", "0")(xml)),
    { code: "PATH_EMPTY", path: `${FILE_REF}/Path` },
  ],
  [
    "an absolute path that isn't one",
    value("Path", "/Sets/Loop.wav", "Sets/Loop.wav"),
    { code: "PATH_FORM", path: `${FILE_REF}/Path` },
  ],
  [
    "an absolute path with backslashes",
    value("Path", "/Sets/Loop.wav", "C:\\Sets\\Loop.wav"),
    { code: "PATH_FORM", path: `${FILE_REF}/Path` },
  ],
  [
    "paths of two files",
    value("Path", "/Sets/Loop.wav", "/Sets/Other.wav"),
    { code: "PATH_NAMES", path: FILE_REF },
  ],
  [
    "a time in milliseconds",
    value("LastModDate", "1773088365", "1773088365000"),
    { code: "MOD_DATE", path: `${CLIP}/SampleRef/LastModDate`, also: ["RANGE"] },
  ],
  [
    "no time",
    value("LastModDate", "1773088365", "0"),
    { code: "MOD_DATE", path: `${CLIP}/SampleRef/LastModDate` },
  ],
];

const rowsOf = (rule: string) => CLIPS.flatMap(([its, ...row]) => (its === rule ? [row] : []));

test.each(rowsOf("LS30"))("[LS30] catches %s", (_what, change, expected) => {
  expectFault(change, expected);
});

test.each(rowsOf("LS31"))("[LS31] catches %s", (_what, change, expected) => {
  expectFault(change, expected);
});

test.each(PATHS)("[LS32] catches %s", (_what, change, expected) => {
  expectFault(change, expected);
});

test("[LS33] files that are as their clips say have no finding and no note", () => {
  const { list } = checkLiveSet(parseXmlTree(GOOD), filesWith(FILE));
  expect([list.faults, list.notes]).toEqual([[], []]);
});

const SOUND = {
  encoding: "pcm",
  bitsPerSample: 16,
  frames: 176_400,
  sampleRateHz: 44_100,
} as const;

test.each([
  ["FILE_MISSING", null],
  ["FILE_SIZE", { ...FILE, bytes: 352_846 }],
  ["FILE_CRC", { ...FILE, crc: 1 }],
  ["FILE_LENGTH", { ...FILE, sound: { ...SOUND, frames: 176_399 } }],
  ["FILE_LENGTH", { ...FILE, sound: { ...SOUND, sampleRateHz: 48_000 } }],
  ["FILE_INT32", { ...FILE, sound: { ...SOUND, bitsPerSample: 32 } }],
  ["FILE_SOUND", { ...FILE, sound: "Loop.wav can't be read." }],
] as const)("[LS33] says %s of each clip whose file is so", (code, found) => {
  const faults = faultsIn(GOOD, filesWith(found));
  expect(faults.map((fault) => fault.code)).toEqual([code, code, code]);
});

test("[LS33] says that the project's folder is missing", () => {
  const faults = faultsIn(GOOD, filesWith(FILE, false));
  expect(new Set(faults.map(({ code }) => code))).toEqual(new Set(["NO_PROJECT"]));
});

test("[LS33] a WAV of floats, and a file of another kind, can be used", () => {
  const floats = { ...SOUND, encoding: "float", bitsPerSample: 32 } as const;
  expect(faultsIn(GOOD, filesWith({ ...FILE, sound: floats }))).toEqual([]);
  expect(faultsIn(GOOD, filesWith({ ...FILE, sound: null }))).toEqual([]);
});

test("[LS33] notes what Live finds in spite of it, and what isn't searched", () => {
  const notes = (files: Parameters<typeof filesWith>[0]) =>
    checkLiveSet(parseXmlTree(GOOD), filesWith(files)).list.notes.map(({ code }) => code);
  expect(new Set(notes({ ...FILE, at: "absolute path" }))).toEqual(new Set(["ELSEWHERE"]));
  expect(new Set(notes({ ...FILE, modifiedSeconds: 1 }))).toEqual(new Set(["MOD_DATE_DIFFERS"]));
  expect(new Set(notes(undefined))).toEqual(new Set(["NOT_LOOKED_FOR"]));
});
