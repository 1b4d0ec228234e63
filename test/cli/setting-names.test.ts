import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { importerSettings, readImporterSettings } from "../../addon/settings.ts";
import { APP_SETTINGS } from "../../cli/commands/send/app-settings.ts";
import { checkSettingNames } from "../../cli/doctor/check-settings.ts";
import { judgeSettingNames } from "../../cli/setting-names.ts";
import { type Setting, flagOf, SETTING_GROUPS, type SettingsTable } from "../../core/settings.ts";
import { readRelaySettings, RELAY_SETTINGS } from "../../relay/settings.ts";
import { makeMachine } from "./run-soundferry.ts";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { relayCommand } from "../../cli/commands/relay.ts";
import { fillSettings } from "../../scripts/write-settings.ts";

/** The variables that Kubernetes gives every container of a namespace with a service named soundferry. */
const KUBERNETES = {
  SOUNDFERRY_SERVICE_HOST: "10.0.0.1",
  SOUNDFERRY_SERVICE_PORT: "4700",
  SOUNDFERRY_SERVICE_PORT_HTTP: "4700",
  SOUNDFERRY_PORT_4700_TCP: "tcp://10.0.0.1:4700",
  SOUNDFERRY_PORT_4700_TCP_PROTO: "tcp",
  SOUNDFERRY_PORT_4700_TCP_PORT: "4700",
  SOUNDFERRY_PORT_4700_TCP_ADDR: "10.0.0.1",
};

const ALL: readonly Setting<unknown>[] = [RELAY_SETTINGS, importerSettings(), APP_SETTINGS].flatMap(
  (table) => Object.values<Setting<unknown>>(table),
);

describe("[K12] a variable that is no setting", () => {
  test.for([
    ["SOUNDFERRY_PROT", "SOUNDFERRY_PORT"],
    ["SOUNDFERRY_HOTS", "SOUNDFERRY_HOST"],
    ["SOUNDFERRY_TRUSTED_PROXY", "SOUNDFERRY_TRUST_PROXY"],
    ["SOUNDFERRY_ALOWED_HOST", "SOUNDFERRY_ALLOWED_HOSTS"],
    ["SOUNDFERRY_port", "SOUNDFERRY_PORT"],
    ["SOUNDFERRY_RELAY_URI", "SOUNDFERRY_RELAY_URL"],
    ["SOUNDFERRY_INBOXES", "SOUNDFERRY_INBOX"],
  ] as const)("%s was meant to be %s", ([name, setting], { expect }) => {
    const { problems, warnings } = judgeSettingNames({ [name]: "x" });
    expect(problems).toEqual([`${name} is not a setting. Did you mean ${setting}?`]);
    expect(warnings).toEqual([]);
  });

  test("is named in one warning with the others, and nothing else is", () => {
    const environment = { SOUNDFERRY_FAVORITE: "x", SOUNDFERRY_COLOR_OF_DAY: "y", PATH: "/bin" };
    expect(judgeSettingNames(environment)).toEqual({
      problems: [],
      warnings: ["Not settings, and ignored: SOUNDFERRY_FAVORITE, SOUNDFERRY_COLOR_OF_DAY."],
    });
    expect(judgeSettingNames({ SOUNDFERRY_PROT: "", SOUND: "x" })).toEqual({
      problems: [],
      warnings: [],
    });
  });

  test("is explained if a container platform set it", () => {
    const { problems, warnings } = judgeSettingNames({
      ...KUBERNETES,
      SOUNDFERRY_RELAY_SERVICE_HOST: "10.0.0.2",
      SOUNDFERRY_RELAY_PORT: "tcp://10.0.0.2:4700",
    });
    expect(problems).toEqual([]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^Set by a container platform .*enableServiceLinks: false/);
    expect(() =>
      readRelaySettings({ environment: { SOUNDFERRY_PORT: "tcp://10.0.0.1:4700" } }),
    ).toThrow(/SOUNDFERRY_PORT must be .*A container platform sets that .*enableServiceLinks/);
    expect(() => readRelaySettings({ environment: { SOUNDFERRY_PORT: "70000" } })).toThrow(
      /not "70000"\.$/,
    );
  });

  test("is a finding of doctor", () => {
    const findings = checkSettingNames({ SOUNDFERRY_PROT: "1", SOUNDFERRY_FAVORITE: "x" });
    expect(findings.map(({ check, state }) => [check, state])).toEqual([
      ["setting-names", "wrong"],
      ["setting-names", "note"],
    ]);
  });
});

test("[K12] no setting is called misspelled, nor taken for a container platform's", () => {
  const environment = Object.fromEntries(ALL.map(({ variable }) => [variable, "x"]));
  expect(judgeSettingNames(environment)).toEqual({ problems: [], warnings: [] });
});

test("[K12] a misspelled setting starts neither relay nor importer, and stops no other command", async () => {
  await using machine = await makeMachine();
  const environment = { SOUNDFERRY_PROT: "4800" };
  for (const words of [["relay"], ["relay", "check"], ["importer", "packages"], ["up"]]) {
    const { status, stderr } = await machine.runInside(words, environment);
    expect([status, stderr], words.join(" ")).toEqual([
      2,
      "SOUNDFERRY_PROT is not a setting. Did you mean SOUNDFERRY_PORT?\n",
    ]);
  }
  expect((await machine.runInside(["layout", "--help"], environment)).status).toBe(0);
});

const NUMBERS = ALL.flatMap(({ variable, bounds, read }) =>
  bounds === undefined ? [] : [{ variable, ...bounds, read }],
);

test("[K12] every setting with a number is among those with bounds", () => {
  const numbers = ALL.filter(({ fallback }) => typeof fallback === "number");
  expect(numbers.filter(({ bounds }) => bounds === undefined)).toEqual([]);
  expect(NUMBERS.length).toBeGreaterThan(20);
});

test.each(NUMBERS)("[K12] $variable takes $min to $max", ({ min, max, read }) => {
  expect(max).toBeLessThan(Number.MAX_SAFE_INTEGER);
  expect([min, max].map((value) => read(String(value)))).toEqual([min, max]);
  for (const text of [String(max + 1), String(min - 1), "1e3", "-1", "1.5", "0x10", "many", "∞"]) {
    expect(() => read(text), text).toThrow(`must be a whole number from ${min} to ${max}`);
  }
});

describe("[K12] the registration key in a file", () => {
  const KEY = "SOUNDFERRY_REGISTRATION_KEY";
  const FILE = "SOUNDFERRY_REGISTRATION_KEY_FILE";
  const readers = [
    ["relay", (environment: Record<string, string>) => readRelaySettings({ environment })],
    ["importer", (environment: Record<string, string>) => readImporterSettings({ environment })],
  ] as const;

  test.for(readers)("is the key of the %s", async ([_who, read], { expect }) => {
    await using machine = await makeMachine();
    const path = join(machine.home, "key");
    for (const text of ["s3cret", "s3cret\n", "s3cret\r\n"]) {
      await writeFile(path, text);
      expect(read({ [FILE]: path }).registrationKey).toBe("s3cret");
    }
    expect(read({ [KEY]: "plain" }).registrationKey).toBe("plain");
    expect(() => read({ [FILE]: path, [KEY]: "plain" })).toThrow("can't both be set");
    for (const text of ["", "\n", "two words", "two\nlines\n"]) {
      await writeFile(path, text);
      expect(() => read({ [FILE]: path })).toThrow(`${FILE} names a`);
    }
    expect(() => read({ [FILE]: join(machine.home, "nowhere") })).toThrow("can't be read");
  });

  test("is enough for a relay that registers by key", async () => {
    await using machine = await makeMachine();
    const path = join(machine.home, "key");
    await writeFile(path, "s3cret\n");
    const environment = { SOUNDFERRY_REGISTRATION: "key", [FILE]: path };
    expect(readRelaySettings({ environment }).registrationKey).toBe("s3cret");
    expect(() =>
      readRelaySettings({ environment: { SOUNDFERRY_REGISTRATION: "key", [KEY]: "a b" } }),
    ).toThrow(`${KEY} must be plain letters`);
  });

  test("replaces the key that the panel stored", async () => {
    await using machine = await makeMachine();
    const path = join(machine.home, "key");
    await writeFile(path, "new\n");
    const stored = { [KEY]: "old" };
    expect(readImporterSettings({ environment: {}, stored }).registrationKey).toBe("old");
    expect(readImporterSettings({ environment: { [FILE]: path }, stored }).registrationKey).toBe(
      "new",
    );
  });
});

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

test("[K3] the documentation lists every setting as it is", () => {
  expect(fillSettings(PAGE)).toBe(PAGE);
  const unnamed = ALL.filter(({ variable }) => !new RegExp(`^\`${variable}[=\`]`, "m").test(PAGE));
  expect(unnamed).toEqual([]);
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
