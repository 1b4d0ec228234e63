import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { importerSettings } from "../addon/settings.ts";
import type { Setting } from "../core/settings.ts";
import { RELAY_SETTINGS } from "../relay/settings.ts";

/** The content of `.env.example`: every setting, its meaning and its default. */
export function formatSettings(): string {
  const seen = new Set<string>();
  const section = (title: string, table: Readonly<Record<string, Setting<unknown>>>) => [
    `# ${title}`,
    "",
    ...Object.values(table)
      .filter(({ variable }) => !seen.has(variable))
      .flatMap((setting) => {
        seen.add(setting.variable);
        return [`# ${setting.meaning}`, `# ${setting.variable}=${defaultText(setting)}`, ""];
      }),
  ];
  return [
    "# Settings of Soundferry. Each can also be given as a flag: SOUNDFERRY_PORT is --port.",
    "# They are read from the environment. To load a copy in a shell: set -a; . ./.env",
    "# In a systemd service, use EnvironmentFile=.",
    "# Made by: npm run generate",
    "",
    ...section("The relay", RELAY_SETTINGS),
    ...section("The importer", importerSettings()),
  ].join("\n");
}

function defaultText({ fallback, fallbackText }: Setting<unknown>): string {
  if (fallbackText !== undefined) return `(${fallbackText})`;
  return typeof fallback === "string" || typeof fallback === "number" ? String(fallback) : "";
}

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, "..", ".env.example"), formatSettings());
}
