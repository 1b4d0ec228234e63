import { countOf } from "../../core/text/count-of.ts";
import { formatTable } from "../../core/text/text-table.ts";
import type { Listed, ListedSwitch } from "../../relay/operating/listed.ts";
import type { Stats } from "../../relay/operating/stats.ts";
import { dayOf, formatBytes, formatFacts, minuteOf, momentOf, shortenTo } from "../format.ts";

// Tables fit into 80 columns. `--json` has the rest.

const NUMBERS: ReadonlySet<string> = new Set(["Apps", "Used", "Of"]);

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const columns = headings.map((heading) => {
    const align = NUMBERS.has(heading) ? ("right" as const) : ("left" as const);
    return { heading, align };
  });
  return formatTable(columns, rows).join("\n");
}

export function formatDevices(devices: readonly Listed["devices"][]): string {
  if (devices.length === 0) return "No devices.";
  return table(
    ["Device", "Name", "Registered", "Seen (UTC)", "Apps", ""],
    devices.map((one) => [
      one.device_id,
      shortenTo(one.device_name, 11),
      dayOf(one.registered_at),
      momentOf(one.last_seen_at),
      String(one.apps),
      one.blocked ? "blocked" : "",
    ]),
  );
}

export function formatApps(apps: readonly Listed["apps"][]): string {
  if (apps.length === 0) return "No paired apps.";
  return table(
    ["Pairing", "App", "Computer", "Paired (UTC)"],
    apps.map((one) => [
      one.pairing_id,
      shortenTo(one.app_name, 18),
      shortenTo(one.device_name, 17),
      momentOf(one.paired_at),
    ]),
  );
}

export function formatPackages(packages: readonly Listed["packages"][]): string {
  if (packages.length === 0) return "No packages.";
  return table(
    ["Sent (UTC)", "Package", "State", "App", "Title"],
    packages.map((one) => [
      momentOf(one.created_at),
      one.package_id,
      one.state,
      shortenTo(one.app_name, 9),
      shortenTo(one.title, 16),
    ]),
  );
}

export function formatBlocks(blocks: readonly Listed["blocks"][]): string {
  if (blocks.length === 0) return "Nothing is blocked.";
  return table(
    ["Blocked", "Since"],
    blocks.map(({ subject, blocked_at: since }) => [subject, minuteOf(since)]),
  );
}

export function formatKeys(keys: readonly Listed["keys"][]): string {
  if (keys.length === 0) return "No registration keys.";
  return table(
    ["Key", "Added", "Ends (UTC)", "Used", "Of"],
    keys.map(({ name, added_at: added, ends_at: ends, uses, max_uses: max }) => [
      shortenTo(name, 26),
      added === null ? "–" : dayOf(added),
      ends === null ? "–" : minuteOf(ends).replace(" UTC", ""),
      String(uses),
      max === null ? "–" : String(max),
    ]),
  );
}

export function formatDenials(denials: readonly Listed["denied"][]): string {
  if (denials.length === 0) return "No sound is denied.";
  // Only this table has no room for more: a sum has 64 characters.
  return table(
    ["Denied sound (SHA-256)", "Since"],
    denials.map(({ sha256, denied_at: since }) => [sha256, dayOf(since)]),
  );
}

export function formatSwitches(switches: readonly ListedSwitch[]): string {
  return switches
    .map(({ name, on, sentence }) => {
      const own = sentence === null ? "" : `  “${sentence}”`;
      return `${name.padEnd(13)}  ${on ? "on" : "off"}${own}`;
    })
    .join("\n");
}

export function formatOperations(operations: readonly Listed["log"][]): string {
  if (operations.length === 0) return "Nothing was done yet.";
  return operations
    .map(({ at, who, action, subject }) => `${minuteOf(at)}  ${who}  ${action} ${subject}`)
    .join("\n");
}

export function formatStats(stats: Stats, place: string): string {
  const { packages } = stats;
  const states = Object.entries(packages).filter(([, count]) => count > 0);
  const oldest = stats.oldest_waiting_since;
  const off = stats.switches.filter(({ on }) => !on).map(({ name }) => name);
  return formatFacts(`The relay in ${place}`, [
    ["Devices", `${stats.devices}, ${stats.devices_never_paired} of them never paired`],
    ["Paired apps", String(stats.apps)],
    ["Packages", states.map(([name, count]) => `${count} ${name}`).join(", ") || "none"],
    ...(oldest === null ? [] : [["Oldest waits since", minuteOf(oldest)] as const]),
    [
      "Their sounds",
      `${formatBytes(stats.bytes_announced)}, of which ${formatBytes(stats.bytes_missing)} are still to come`,
    ],
    ...(stats.disk_free_bytes === null
      ? []
      : [["Free on the disk", formatBytes(stats.disk_free_bytes)] as const]),
    [
      "Blocked",
      `${stats.blocked_addresses} addresses or networks, ${stats.blocked_devices} devices`,
    ],
    ["Denied sounds", String(stats.denied_sounds)],
    ["Switched off", off.join(", ") || "nothing"],
  ]);
}

/** Formats a note on files that are still to be deleted (rule AD1). */
export function formatWaiting(files: number): readonly string[] {
  if (files === 0) return [];
  return [
    `${countOf(files, "file")} of these must wait: a backup is being made, or their disk or service doesn't answer. ` +
      "A relay deletes what is left once it can. Nobody can read it until then.",
  ];
}
