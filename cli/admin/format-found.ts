import type { DeviceQuota } from "../../relay/domain/ports.ts";
import type { Found } from "../../relay/operating/find.ts";
import type {
  PackageStory,
  StoryDevice,
  StoryEvent,
  StorySound,
} from "../../relay/operating/package-story.ts";
import { formatBytes, formatFacts, minuteOf, momentOf, shortenTo, wrap } from "../format.ts";
import { formatApps, formatDevices, formatPackages } from "./format-lists.ts";

const WIDTH = 80;

/** Formats what a search found. */
export function formatFound({ devices, apps, packages, story, device }: Found): string {
  if (story !== undefined) return formatStory(story);
  return [
    ...(device === undefined ? [] : [formatDevice(device)]),
    ...(devices.items.length > 0 && device === undefined ? [formatDevices(devices.items)] : []),
    ...(apps.items.length > 0 ? [formatApps(apps.items)] : []),
    ...(packages.items.length > 0 || device !== undefined ? [formatPackages(packages.items)] : []),
  ].join("\n\n");
}

function formatDevice(device: StoryDevice): string {
  const { device_id: id, device_name: name, blocked, revoked } = device;
  const { bytes_quota: bytes, waiting_quota: waiting } = device;
  return formatFacts(`Computer ${id}`, [
    ["Name", shortenTo(name, 60)],
    ["Last seen", formatPresence(device)],
    ...(bytes === null && waiting === null
      ? []
      : [["Limits", formatQuota({ bytes, waiting })] as const]),
    ...(blocked ? [["Blocked", "yes"] as const] : []),
    ...(revoked ? [["Token", "revoked: it must register again"] as const] : []),
  ]);
}

/** Formats a computer's own limits. */
export function formatQuota({ bytes, waiting }: DeviceQuota): string {
  const size = bytes === null ? "the relay's limit of bytes" : formatBytes(bytes);
  const count = waiting === null ? "the relay's limit of" : `at most ${waiting}`;
  return `${size}, ${count} waiting packages`;
}

function formatPresence({ last_seen_at: lastSeen, connected }: StoryDevice): string {
  return `${minuteOf(lastSeen)}, ${connected ? "connected within the last 90 s" : "not connected now"}`;
}

function formatStory(story: PackageStory): string {
  const { app, device, sounds, timeline, explanations } = story;
  const state = story.taken ? `${story.status}, being imported` : story.status;
  return [
    formatFacts(`Package ${story.package_id}: ${state}`, [
      ["Title", shortenTo(story.title, 66)],
      ["App", `${shortenTo(app.app_name, 36)}, ${app.pairing_id ?? "no longer paired"}`],
      ["Computer", `${shortenTo(device.device_name, 36)}, ${device.device_id}`],
      ["Last seen", formatPresence(device)],
      ["Sounds", `${sounds.length}, ${formatBytes(story.bytes)}`],
    ]),
    "",
    ...timeline.map((event) => formatEvent(event, story)),
    "",
    ...explanations.map((sentence) => wrap(sentence, WIDTH)),
    ...formatSounds(sounds),
  ].join("\n");
}

function formatEvent({ at, event, file = "" }: StoryEvent, { status }: PackageStory): string {
  const isOver = status === "expired";
  const words = {
    announced: "announced by the app",
    arrived: `arrived: ${file}`,
    committed: "committed: ready to import",
    listed: "first listed by the computer",
    taken: "the last import began",
    reported: `reported: ${status}`,
    expired: isOver ? "expired, its files are deleted" : "the time of its files was over",
    expires: "its files will be deleted",
  };
  return shortenTo(`  ${momentOf(at)}:${at.slice(17, 19)}  ${words[event]}`, WIDTH);
}

/** Formats the sounds that say more than the timeline does. */
function formatSounds(sounds: readonly StorySound[]): readonly string[] {
  const lines = sounds.flatMap(({ name, file, state, result }, index) => {
    const where = state === "missing" || state === "partly" ? `${state}: ${file}` : undefined;
    const said = result === null ? where : formatResult(result);
    return said === undefined ? [] : [wrap(`${index + 1}  ${name}: ${said}`, WIDTH, "   ")];
  });
  return lines.length === 0 ? [] : ["", ...lines];
}

function formatResult({
  status,
  track,
  error,
  notes = [],
}: NonNullable<StorySound["result"]>): string {
  const place = track === undefined ? status : `${status}, track “${track}”`;
  return [`${place}.`, ...(error === undefined ? [] : [error]), ...notes].join(" ");
}
