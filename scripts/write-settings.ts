import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { importerSettings } from "../addon/settings.ts";
import { APP_SETTINGS } from "../cli/commands/send/app-settings.ts";
import { defaultOf } from "../cli/setting-flags.ts";
import { byGroup, type Setting } from "../core/settings.ts";
import { RELAY_SETTINGS } from "../relay/settings.ts";
import { fillTables } from "./write-field-tables.ts";

/** Returns the content of `.env.example`: every setting by groups, with its meaning and its default. */
export function formatSettings(): string {
  const settings = settingsOfServices();
  return [
    "# Settings of Soundferry. Each can also be given as a flag: SOUNDFERRY_PORT is --port.",
    "# They are read from the environment. To load a copy in a shell: set -a; . ./.env",
    "# In a systemd service, use EnvironmentFile=.",
    "# Made by: npm run generate",
    "",
    ...settings.flatMap((setting, at) => {
      const { group, meaning, variable } = setting;
      const lines = [`# ${meaning}`, `# ${variable}=${defaultText(setting)}`, ""];
      return group === settings[at - 1]?.group ? lines : [`# --- ${group} ---`, ""].concat(lines);
    }),
  ].join("\n");
}

/** Returns a page with its tables of settings, one for each group. */
export function fillSettings(page: string): string {
  return fillTables(page, formatGroups);
}

function formatGroups(): string {
  const settings = [...settingsOfServices(), ...Object.values(APP_SETTINGS)];
  const groups = Map.groupBy<string, Setting<unknown>>(settings, ({ group = "Sending" }) => group);
  return [...groups]
    .map(([group, rows]) => [`${group} | Meaning`, "---|---", ...rows.map(formatRow)].join("\n"))
    .join("\n\n");
}

function formatRow(setting: Setting<unknown>): string {
  return `${formatName(setting)} | ${setting.meaning}`;
}

/** A variable with a value that can be set, or with a default in words. */
function formatName(setting: Setting<unknown>): string {
  const { variable, fallbackText } = setting;
  const shown = defaultOf(setting);
  if (shown === "none") return `\`${variable}\``;
  return fallbackText === undefined ? `\`${variable}=${shown}\`` : `\`${variable}\` (${shown})`;
}

/** The settings of relay and importer by groups, each once. */
function settingsOfServices(): readonly Setting<unknown>[] {
  const all = [...Object.values(RELAY_SETTINGS), ...Object.values(importerSettings())];
  return byGroup(all.filter(isFirst));
}

/** Relay and importer share settings; the relay's words count. */
function isFirst({ variable }: Setting<unknown>, at: number, all: readonly Setting<unknown>[]) {
  return all.findIndex((setting) => setting.variable === variable) === at;
}

function defaultText({ fallback, fallbackText }: Setting<unknown>): string {
  if (fallbackText !== undefined) return `(${fallbackText})`;
  return typeof fallback === "string" || typeof fallback === "number" ? String(fallback) : "";
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "..");
  writeFileSync(join(root, ".env.example"), formatSettings());
  const page = join(root, "docs", "use", "command-line.md");
  writeFileSync(page, fillSettings(readFileSync(page, "utf8")));
}
