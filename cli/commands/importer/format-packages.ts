import type { PackagesToImport } from "../../../addon/runs/importer-calls.ts";
import type { InboxPackage } from "../../../addon/state/importer-state.ts";
import type { ImportablePackage, PairedApp } from "../../../core/protocol/importer-api.ts";
import { formatTable } from "../../../core/text/text-table.ts";
import { minuteOf } from "../../format-time.ts";

/** Formats the packages of relay and inbox as a table, with the ids that `importer import` takes. */
export function formatPackages({ packages, local, dismissed = [] }: PackagesToImport): string {
  if (packages.length + local.length === 0) return "No packages waiting.";
  const headings = ["Package", "Title", "From", "Sounds", "Status"];
  const ids = new Set(dismissed);
  const rows = [
    ...packages.map((one) => relayRow(one, ids)),
    ...local.map((one) => localRow(one, ids)),
  ];
  return formatTable(
    headings.map((heading) => ({ heading, align: heading === "Sounds" ? "right" : "left" })),
    rows,
  ).join("\n");
}

function relayRow(
  { package_id, manifest, app_name, status, taken }: ImportablePackage,
  dismissed: ReadonlySet<string>,
): string[] {
  const isDismissed = dismissed.has(package_id);
  const state = isDismissed ? "dismissed" : taken ? `${status}, being imported` : status;
  return [package_id, manifest.title, app_name, String(manifest.items.length), state];
}

function localRow(local: InboxPackage, dismissed: ReadonlySet<string>): string[] {
  if ("error" in local) return [local.folder, "–", "inbox", "–", local.error];
  const { title, items } = local.manifest;
  const done = local.imported ? "imported" : "waiting";
  const state = dismissed.has(local.package_id) ? "dismissed" : done;
  return [local.folder, title, "inbox", String(items.length), state];
}

/** Formats the paired apps as a table, with the ids that `importer unpair` takes. */
export function formatApps(apps: readonly PairedApp[]): string {
  if (apps.length === 0) return "No paired apps.";
  return formatTable(
    ["App", "Paired", "Last seen", "Id"].map((heading) => ({ heading, align: "left" })),
    apps.map(({ app_name, paired_at, last_seen_at, pairing_id }) => [
      app_name,
      minuteOf(paired_at),
      minuteOf(last_seen_at),
      pairing_id,
    ]),
  ).join("\n");
}
