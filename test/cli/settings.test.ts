import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importerSettings } from "../../addon/settings.ts";
import { relayCommand } from "../../cli/commands/relay.ts";
import { APP_SETTINGS } from "../../cli/commands/send/app-settings.ts";
import { defaultOf } from "../../cli/setting-flags.ts";
import { flagOf, type Setting, SETTING_GROUPS, type SettingsTable } from "../../core/settings.ts";
import { readRelaySettings, RELAY_SETTINGS } from "../../relay/settings.ts";
import { makeMachine } from "./run-soundferry.ts";

test("[K3] refuses to trust everyone as a proxy", () => {
  const read = (proxies: string) =>
    readRelaySettings({ environment: { SOUNDFERRY_TRUST_PROXY: proxies } }).trustProxy;
  expect(read("10.0.0.0/8, ::1")).toEqual(["10.0.0.0/8", "::1"]);
  for (const everyone of ["0.0.0.0/0", "::/0", "10.0.0.0/"]) {
    expect(() => read(everyone)).toThrow(`not "${everyone}"`);
  }
});

test("[K1][K3] reports a port in use in a sentence", async () => {
  await using machine = await makeMachine();
  const first = createServer();
  await new Promise<void>((resolve) => first.listen(0, "127.0.0.1", resolve));
  const port = String((first.address() as AddressInfo).port);
  const second = await machine.runInside([
    "relay",
    "--port",
    port,
    "--data",
    join(machine.home, "second"),
  ]);
  first.close();
  expect(second.stderr).toContain(`Port ${port} is in use. Choose another with --port`);
  expect(second.status).toBe(1);
});

const PAGE = readFileSync(
  join(import.meta.dirname, "..", "..", "docs", "use", "command-line.md"),
  "utf8",
);

test.each<[string, SettingsTable]>([
  ["relay", RELAY_SETTINGS],
  ["importer", importerSettings()],
  ["send", APP_SETTINGS],
])("[K3] the documentation lists the settings of %s as they are", (_who, table) => {
  const rows = PAGE.split("\n");
  const missing = Object.values(table)
    .map((setting) => `${namedWithDefault(setting)} | ${setting.meaning}`)
    .filter((row) => !rows.includes(row));
  expect(missing).toEqual([]);
  expect(PAGE).toContain("the flag of the same name (`SOUNDFERRY_BASE_URL`, `--base-url`)");
  expect(flagOf("SOUNDFERRY_BASE_URL")).toBe("base-url");
});

test("[K3] --help lists the settings by groups, and first those that most people need", () => {
  const table: SettingsTable = { ...importerSettings(), ...RELAY_SETTINGS };
  expect(Object.values(table).filter(({ group }) => group === undefined)).toEqual([]);
  const help = relayCommand().helpInformation();
  const headings = [...help.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading);
  const groups = SETTING_GROUPS.filter((group) => !["Importer", "Live"].includes(group));
  expect(headings).toEqual(["Options", ...groups, "Commands"]);
});

/** A variable as its row has it: with a value that can be set, or with a default in words. */
function namedWithDefault(setting: Setting<unknown>): string {
  const { variable, fallbackText } = setting;
  const shown = defaultOf(setting);
  if (shown === "none") return `\`${variable}\``;
  return fallbackText === undefined ? `\`${variable}=${shown}\`` : `\`${variable}\` (${shown})`;
}
