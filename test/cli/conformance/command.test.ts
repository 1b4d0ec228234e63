import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RunningRelay } from "../../relay/running-relay.ts";
import { makeMachine } from "../run-soundferry.ts";
import { startBreakingProxy } from "./breaking-proxy.ts";

test("[Q5][K1] prints one JSON value, writes JUnit and a badge, and exits 0", async () => {
  await using relay = await RunningRelay.start();
  await using machine = await makeMachine();
  const [junit, badge] = [join(machine.home, "junit.xml"), join(machine.home, "badge.json")];
  const { status, stdout } = await machine.runInside([
    "conformance",
    `--relay=${relay.url}/`,
    "--only=hello,S1",
    "--skip=commit-again",
    "--json",
    `--junit=${junit}`,
    `--badge=${badge}`,
  ]);
  expect(status).toBe(0);
  const report = JSON.parse(stdout) as { checks: { rule: string; outcome: string }[] };
  expect(report).toMatchObject({ relay: relay.url, keeps_the_contract: true, skipped: 1 });
  expect(new Set(report.checks.map(({ rule }) => rule))).toEqual(new Set(["I4", "S1"]));
  expect(await readFile(junit, "utf8")).toContain('<testcase classname="I4.hello"');
  expect(JSON.parse(await readFile(badge, "utf8"))).toMatchObject({ color: "2e7d32" });
});

test("[Q3] exits 1 with the answer and what was expected, and prints no token", async () => {
  await using relay = await RunningRelay.start();
  await using proxy = await startBreakingProxy(relay.url, {
    answer: (answered, { path }) => {
      if (path === "/importer/register") answered.status = 200;
    },
  });
  await using machine = await makeMachine();
  const ended = await machine.runInside([
    "conformance",
    "--relay",
    proxy.url,
    "--only",
    "P1",
    "A1",
  ]);
  expect(ended.status).toBe(1);
  expect(ended.stdout).toContain("POST /importer/register answered 200; expected 201.");
  expect(ended.stdout).toContain("breaks the contract");
  expect(ended.stdout + ended.stderr).not.toMatch(/sf[ai]_\w/);
});

test("[Q1] tests a relay at an https address in the same way, including its notification socket", async () => {
  const folder = join(import.meta.dirname, "../../relay/tls");
  const cert = join(folder, "cert.pem");
  await using relay = await RunningRelay.start({
    SOUNDFERRY_TLS_CERT: cert,
    SOUNDFERRY_TLS_KEY: join(folder, "key.pem"),
  });
  await using machine = await makeMachine();
  const words = ["--only", "malformed-request", "upload-broken-off", "I3", "--json"];
  const { stdout } = await machine.run(["conformance", "--relay", relay.url, ...words], {
    NODE_EXTRA_CA_CERTS: cert,
  });
  expect(JSON.parse(stdout)).toMatchObject({ keeps_the_contract: true, passed: 5, skipped: 1 });
});

test("[Q3][Q4] wrong use is 2; a relay that can't be reached is a sentence", async () => {
  await using machine = await makeMachine();
  const wrong = [
    ["--only", "S99"],
    ["--skip", "no-check"],
    ["--relay", "ftp://relay.example"],
    ["--badge", "badge.png"],
  ];
  const endings = await Promise.all(
    wrong.map((words) => machine.runInside(["conformance", ...words])),
  );
  expect(endings.map(({ status }) => status)).toEqual([2, 2, 2, 2]);
  expect(endings[0]?.stderr).toContain('"S99" is neither a rule nor a check');
  const away = await machine.runInside(["conformance", "--relay", "http://127.0.0.1:1"]);
  expect([away.status, away.stdout]).toEqual([1, ""]);
  expect(away.stderr).toContain("No relay answers at http://127.0.0.1:1.");
});
