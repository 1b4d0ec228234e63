import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";

const DEPLOY = join(import.meta.dirname, "../../../relay/deploy");
const PROMETHEUS = join(DEPLOY, "prometheus");
const read = (path: string) => readFileSync(join(DEPLOY, path), "utf8");

/** @throws with what it printed, unless all is well */
function promtool(...words: readonly string[]): string {
  try {
    return execFileSync("promtool", words, { cwd: PROMETHEUS, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      throw new Error("promtool is missing: install Debian's package prometheus.", {
        cause: error,
      });
    }
    throw error;
  }
}

test("[K9] promtool accepts the alert rules and the example, and runs the rules' own tests", () => {
  expect(promtool("check", "config", "prometheus.example.yml")).toContain("SUCCESS");
  expect(promtool("test", "rules", "soundferry.rules.test.yml")).toContain("SUCCESS");
});

test("[K9] each alert has a series that fires it and one that doesn't", () => {
  const alerts = [...read("prometheus/soundferry.rules.yml").matchAll(/- alert: (\w+)/g)];
  const cases = read("prometheus/soundferry.rules.test.yml").split("  - name: ").slice(1);
  expect(alerts.length).toBeGreaterThan(15);
  for (const [, alert = ""] of alerts) {
    const own = cases.filter((text) => text.includes(`- alertname: ${alert}\n`));
    const silent = own.filter((text) => text.includes("exp_alerts: []"));
    expect([alert, silent.length > 0, own.length > silent.length]).toEqual([alert, true, true]);
  }
});

test("[K9] rules and dashboard read only what a relay shows, and the dashboard's queries are well-formed", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_METRICS_PORT: "0" });
  await relay.call("GET", "/healthz");
  const shown = await (await fetch(relay.metricsUrl ?? "")).text();
  const rules = read("prometheus/soundferry.rules.yml");
  const dashboard: { readonly panels: readonly Panel[] } = JSON.parse(
    read("grafana/soundferry.json"),
  );
  const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(queries.length).toBeGreaterThan(20);
  const names = new Set([rules, ...queries].join("\n").match(/\bsoundferry_[a-z0-9_]+\b/g));
  const isShown = (name: string) =>
    shown.includes(`# TYPE ${name} `) ||
    shown.includes(`# TYPE ${name.replace(/_(bucket|count|sum)$/, "")} histogram`);
  expect([...names].filter((name) => !isShown(name))).toEqual([]);
  // promtool has no check for a query, but reads one as a rule.
  const asRules = {
    groups: [
      { name: "queries", rules: queries.map((expr, at) => ({ record: `query:${at}`, expr })) },
    ],
  };
  const text = JSON.stringify(asRules).replaceAll("$instance", ".*");
  const folder = await mkdtemp(join(tmpdir(), "soundferry-queries-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "queries.json"), text);
  const checked = promtool("check", "rules", join(folder, "queries.json"));
  expect(checked).toContain(`SUCCESS: ${queries.length} rules found`);
});

interface Panel {
  readonly targets: readonly { readonly expr: string }[];
}
