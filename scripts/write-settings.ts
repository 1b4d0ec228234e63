import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { importerSettings } from "../addon/settings.ts";
import { byGroup, type Setting } from "../core/settings.ts";
import { RELAY_SETTINGS } from "../relay/settings.ts";

/** Returns the content of `.env.example`: every setting by groups, with its meaning and its default. */
export function formatSettings(): string {
  const all = [...Object.values(RELAY_SETTINGS), ...Object.values(importerSettings())];
  const settings = byGroup(all.filter(isFirst));
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

/** Relay and importer share settings; the relay's words count. */
function isFirst({ variable }: Setting<unknown>, at: number, all: readonly Setting<unknown>[]) {
  return all.findIndex((setting) => setting.variable === variable) === at;
}

function defaultText({ fallback, fallbackText }: Setting<unknown>): string {
  if (fallbackText !== undefined) return `(${fallbackText})`;
  return typeof fallback === "string" || typeof fallback === "number" ? String(fallback) : "";
}

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, "..", ".env.example"), formatSettings());
}
