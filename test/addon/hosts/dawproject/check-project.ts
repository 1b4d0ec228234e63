import { expect } from "vitest";
import { WavHeaderReader } from "../../../../core/audio/wav-header-reader.ts";
import { type Element, elements, everything, type OpenedDawproject } from "./open-dawproject.ts";

const NC_NAME = /^[A-Za-z_][\w.-]*$/;

/** Checks for mistakes that the published schema doesn't find and that confuse DAWs (rule D9). */
export function checkProject({ project, files }: OpenedDawproject): void {
  checkIds(project);
  const audio = [...everything(project)].filter(([name]) => name === "Audio");
  for (const [, element] of audio) checkAudio(element, files);
  for (const [name, element] of everything(project)) {
    if (name === "Warps") checkWarps(element);
    if (name === "Clip") checkClip(element);
    if (name === "ClipSlot") expect(elements(element, "Clip")).toHaveLength(1);
  }
  const used = new Set(audio.map(([, element]) => pathOf(element)));
  expect(new Set(Object.keys(files))).toEqual(new Set([...used, "project.xml", "metadata.xml"]));
  const lowerCase = Object.keys(files).map((name) => name.toLowerCase());
  expect(new Set(lowerCase).size).toBe(lowerCase.length);
}

function checkIds(project: Element): void {
  const all = [...everything(project)].map(([, element]) => element);
  const ids = all.flatMap((element) => element["@id"] ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(NC_NAME);
  for (const element of all) {
    for (const reference of ["@track", "@destination"]) {
      if (element[reference] !== undefined) expect(ids).toContain(element[reference]);
    }
  }
}

function checkAudio(audio: Element, files: OpenedDawproject["files"]): void {
  const bytes = files[pathOf(audio)];
  if (bytes === undefined) throw new Error(`${pathOf(audio)} is not in the file.`);
  const reader = new WavHeaderReader(bytes.length, pathOf(audio));
  reader.push(bytes);
  const header = reader.end();
  expect(numberOf(audio, "duration")).toBe(header.frames / header.sampleRateHz);
  expect(numberOf(audio, "duration")).toBeGreaterThan(0);
  expect(numberOf(audio, "sampleRate")).toBe(header.sampleRateHz);
  expect(numberOf(audio, "channels")).toBe(header.channels);
}

function checkWarps(warps: Element): void {
  const points = elements(warps, "Warp");
  expect(points.length).toBeGreaterThan(1);
  const [audio = {}] = elements(warps, "Audio");
  let before = { time: -1, contentTime: -1 };
  for (const point of points) {
    const now = { time: numberOf(point, "time"), contentTime: numberOf(point, "contentTime") };
    expect(now.time).toBeGreaterThan(before.time);
    expect(now.contentTime).toBeGreaterThan(before.contentTime);
    expect(now.contentTime).toBeLessThanOrEqual(numberOf(audio, "duration"));
    before = now;
  }
  expect(points[0]).toMatchObject({ "@time": "0", "@contentTime": "0" });
}

function checkClip(clip: Element): void {
  expect(numberOf(clip, "time")).toBeGreaterThanOrEqual(0);
  expect(numberOf(clip, "duration")).toBeGreaterThan(0);
  const [event] = elements(clip, "Clips", "Clip");
  if (event !== undefined) return checkEvent(event, clip);
  expect(clip["@contentTimeUnit"]).toBe(elements(clip, "Audio").length > 0 ? "seconds" : "beats");
}

/** The one event of a clip fills it, whatever part of it the clip plays. */
function checkEvent(event: Element, clip: Element): void {
  expect(clip["@contentTimeUnit"]).toBe("beats");
  expect(event["@time"]).toBe("0");
  const plays = clip["@loopEnd"] === undefined ? "duration" : "loopEnd";
  expect(numberOf(clip, plays)).toBeLessThanOrEqual(numberOf(event, "duration"));
  if (plays === "loopEnd") expect(clip["@loopStart"]).toBe("0");
}

function pathOf(audio: Element): string {
  return String(elements(audio, "File")[0]?.["@path"]);
}

function numberOf(element: Element, name: string): number {
  return Number(element[`@${name}`]);
}
