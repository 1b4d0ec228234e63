import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { importerSettings } from "../../addon/settings.ts";
import { APP_SETTINGS } from "../../cli/commands/send/app-settings.ts";
import { readRegistrationKey } from "../../cli/registration-key.ts";
import { readSettings, type Setting, type SettingsTable } from "../../core/settings.ts";
import { RELAY_SETTINGS } from "../../relay/settings.ts";

const TABLES: readonly SettingsTable[] = [RELAY_SETTINGS, importerSettings(), APP_SETTINGS];
const SETTINGS = TABLES.flatMap((table) =>
  Object.entries(table).map(([name, setting]) => ({ table, name, setting })),
);
const SECRETS = SETTINGS.filter(({ setting }) => setting.isSecret === true);

/** Names that sound like a secret's, and why they are none. */
const NO_SECRET = new Map([
  ["SOUNDFERRY_TLS_KEY", "names a file"],
  ["SOUNDFERRY_S3_ACCESS_KEY_ID", "is a name"],
  ["SOUNDFERRY_TOKEN_IDLE_DAYS", "is a number"],
]);

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "soundferry-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "secret"), text);
  return join(folder, "secret");
}

/** A secret that the setting takes. */
function valueFor({ variable }: Setting<unknown>): string {
  return variable.includes("DATABASE") ? "postgres://relay:s3cret@localhost/relay" : "s3cret";
}

test("[SEC2] every setting that sounds like a secret is one, or says why not", () => {
  const sounding = SETTINGS.map(({ setting }) => setting)
    .filter(({ variable }) => /KEY|SECRET|PASSW|TOKEN|CREDENTIAL|DATABASE.*URL/.test(variable))
    .filter(({ variable }) => !variable.endsWith("_FILE") && !NO_SECRET.has(variable));
  expect(sounding.filter(({ isSecret }) => isSecret !== true)).toEqual([]);
  expect(new Set(SECRETS.map(({ setting }) => setting.variable))).toEqual(
    new Set([
      "SOUNDFERRY_REGISTRATION_KEY",
      "SOUNDFERRY_DATABASE_URL",
      "SOUNDFERRY_DATABASE_LISTEN_URL",
      "SOUNDFERRY_S3_SECRET_ACCESS_KEY",
    ]),
  );
});

test.each(SECRETS)("[SEC2] $setting.variable can be in a file", ({ table, name, setting }) => {
  const file = table[`${name}File`];
  if (file === undefined) throw new Error("It has no file.");
  expect(file.variable).toBe(`${setting.variable}_FILE`);
  const both = { [name]: setting, [`${name}File`]: file };
  const read = (texts: Record<string, string>) => readSettings(both, [texts])[name];
  const value = valueFor(setting);
  const given = read({ [setting.variable]: value });
  for (const ending of ["", "\n", "\r\n"]) {
    expect(read({ [file.variable]: fileWith(value + ending) })).toBe(given);
  }
  const path = fileWith(value);
  expect(() => read({ [file.variable]: path, [setting.variable]: value })).toThrow(
    `${setting.variable} and ${file.variable} can't both be set.`,
  );
  expect(() => read({ [file.variable]: fileWith("\n") })).toThrow("names an empty file");
  expect(() => read({ [file.variable]: `${path}.none` })).toThrow(
    "names a file that can't be read",
  );
});

test.each(SECRETS)(
  "[SEC2] no message shows what is wrong with $setting.variable",
  ({ table, name, setting }) => {
    const both = { [name]: setting, [`${name}File`]: table[`${name}File`] ?? setting };
    const wrong = "mysql://relay:s3cret two@localhost/relay";
    const tried = [
      { [setting.variable]: wrong },
      { [`${setting.variable}_FILE`]: fileWith(wrong) },
      { [setting.variable]: wrong, [`${setting.variable}_FILE`]: fileWith(wrong) },
    ].map((texts) => {
      try {
        return String(readSettings(both, [texts])[name] === wrong);
      } catch (error) {
        return String(error);
      }
    });
    expect(tried.join("\n")).not.toContain("s3cret");
  },
);

test("[SEC2] commands that register take the key from its file, too", () => {
  const given = { SOUNDFERRY_REGISTRATION_KEY_FILE: fileWith("sesame\n") };
  expect(readRegistrationKey(given)).toBe("sesame");
  expect(readRegistrationKey({})).toBeUndefined();
});
