import { spawnSync } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { judgeSettingNames } from "../../../cli/setting-names.ts";
import { RELAY_DEFAULTS } from "../../../core/limits.ts";
import { DOWNLOADS, SPARE_DESCRIPTORS } from "../../../core/quotas/budgets.ts";
import { readRelaySettings } from "../../../relay/settings.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { makeMachine } from "../../cli/run-soundferry.ts";
import { type Change, changed, readShipped } from "../../engines/shipped-file.ts";

const UNIT = readShipped("systemd/soundferry-relay.service");
const NAME = "soundferry-relay.service";

/** Reads the unit's value under this name. @throws unless it does so once */
function valueOf(name: string): string {
  const [found, ...more] = UNIT.matchAll(new RegExp(`^${name}=(.*)$`, "gm"));
  if (found?.[1] === undefined || more.length > 0)
    throw new Error(`The unit says ${name} not once.`);
  return found[1];
}

/** The settings of a file, also those that are commented out. */
function settingsIn(
  text: string,
  { alsoCommented }: { alsoCommented: boolean },
): Record<string, string> {
  const line = alsoCommented ? /^(?:# )?(SOUNDFERRY_\w+)=(.*)$/gm : /^(SOUNDFERRY_\w+)=(.*)$/gm;
  return Object.fromEntries(
    [...text.matchAll(line)].map(([, name = "", value = ""]) => [name, value]),
  );
}

test("[K14] the unit gives the relay the time that it needs to stop, and the files that it may open", () => {
  const { stopGraceSeconds, connections, uploads } = RELAY_DEFAULTS;
  expect(Number(valueOf("TimeoutStopSec"))).toBeGreaterThanOrEqual(stopGraceSeconds + 30);
  expect(UNIT).toContain(`SOUNDFERRY_STOP_GRACE_S (${stopGraceSeconds})`);
  expect(UNIT).toContain(
    `SOUNDFERRY_MAX_CONNECTIONS (${connections}) and SOUNDFERRY_UPLOADS (${uploads})`,
  );
  const most = connections + uploads + DOWNLOADS.all + SPARE_DESCRIPTORS;
  expect(Number(valueOf("LimitNOFILE"))).toBeGreaterThan(most);
  expect([valueOf("KillSignal"), valueOf("KillMode")]).toEqual(["SIGTERM", "mixed"]);
});

test("[K14] the unit starts a relay again, unless a person must look first", () => {
  expect(valueOf("Restart")).toBe("on-failure");
  expect(valueOf("RestartPreventExitStatus").split(" ")).toEqual(["2", "78"]);
});

test("[K14] the unit bounds the log, above what a busy relay writes", () => {
  expect(valueOf("LogRateLimitIntervalSec")).toBe("30s");
  // journald's own bound.
  expect(Number(valueOf("LogRateLimitBurst"))).toBeGreaterThan(10_000);
});

test("[K14] the command of the unit is one, and the settings beside it are", async () => {
  const example = readShipped("relay.env.example");
  const all = settingsIn(example, { alsoCommented: true });
  expect(judgeSettingNames(all)).toEqual({ problems: [], warnings: [] });
  expect(Object.keys(all)).toContain("SOUNDFERRY_REGISTRATION_KEY_FILE");
  expect(all["SOUNDFERRY_STOP_DELAY_S"]).toBe("10");
  const settings = readRelaySettings({
    environment: settingsIn(example, { alsoCommented: false }),
  });
  expect([settings.host, settings.port, settings.trustProxy]).toEqual([
    "127.0.0.1",
    readRelaySettings({ environment: {} }).port,
    ["127.0.0.1", "::1"],
  ]);

  await using machine = await makeMachine();
  const [, ...words] = valueOf("ExecStart").split(" ");
  expect((await machine.runInside([...words, "--help"])).status).toBe(0);
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).error === undefined;

describe.skipIf(!hasSystemd)("(needs systemd-analyze)", () => {
  test("[K14] systemd accepts the unit, and lists little that it may do", async () => {
    const root = await rootWith([]);
    expect(analyze("verify", "--man=no", "--recursive-errors=no", `--root=${root}`, NAME)).toEqual([
      0,
      "",
    ]);
    const [status] = analyze("security", "--offline=yes", "--threshold=20", `--root=${root}`, NAME);
    expect(status).toBe(0);
  });

  test.for<Change>([
    ["PrivateTmp=yes", "PrivatTmp=yes"],
    ["TimeoutStopSec=150", "TimeoutStopSec=soon"],
    ["/usr/local/bin/soundferry relay", "/usr/local/bin/nobody relay"],
    ["SystemCallFilter=@system-service", "SystemCallFilter=@nothing"],
    ["LogRateLimitIntervalSec=30s", "LogRateLimitInterval=30s"],
  ])("[K14] systemd would find a mistake in %s", async (mistake, { expect }) => {
    const root = await rootWith([mistake]);
    const [status, said] = analyze(
      "verify",
      "--man=no",
      "--recursive-errors=no",
      `--root=${root}`,
      NAME,
    );
    expect([status, said]).toEqual([1, expect.stringContaining(NAME)]);
  });
});

/** A system's root with the unit and what it starts. */
async function rootWith(changes: readonly Change[]): Promise<string> {
  const root = await temporaryFolder();
  await mkdir(join(root, "etc/systemd/system"), { recursive: true });
  await mkdir(join(root, "usr/local/bin"), { recursive: true });
  await writeFile(join(root, "etc/systemd/system", NAME), changed(UNIT, changes));
  const command = join(root, "usr/local/bin/soundferry");
  await writeFile(command, "#!/bin/sh\n");
  await chmod(command, 0o755);
  return root;
}

function analyze(...words: readonly string[]): [status: number | null, said: string] {
  const { status, stderr } = spawnSync("systemd-analyze", words, { encoding: "utf8" });
  return [status, stderr];
}
