import { join } from "node:path";
import { expect, test } from "vitest";
import type { Finding } from "../../cli/doctor/finding.ts";
import { makeMachine } from "./run-soundferry.ts";

test("[K3] flags win over the environment, and port 0 prints the port it took", async () => {
  await using machine = await makeMachine();
  const folder = join(machine.home, "by flag");
  const words = ["relay", "--json", "--port", "0", "--data", folder, "--registration", "open"];
  const relay = machine.start(words, {
    SOUNDFERRY_PORT: "not a port",
    SOUNDFERRY_DATA: "/nowhere/by environment",
    SOUNDFERRY_BASE_URL: "https://relay.example/",
    SOUNDFERRY_LOG_LEVEL: "",
  });
  await relay.until(({ stdout }) => stdout.endsWith("\n"));
  expect(JSON.parse(relay.stdout)).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/),
    base_url: "https://relay.example",
    metrics_url: null,
    data_folder: folder,
  });
  relay.interrupt();
  expect((await relay.ended).status).toBe(0);
});

test("[K12] a strange variable is named once at the start of a relay, which serves", async () => {
  await using machine = await makeMachine();
  const relay = machine.start(["relay", "--json"], {
    SOUNDFERRY_SERVICE_PORT: "4700",
    SOUNDFERRY_FAVORITE: "x",
  });
  await relay.until(({ stdout }) => stdout.endsWith("\n"));
  relay.interrupt();
  const { stderr } = await relay.ended;
  expect(stderr.match(/Not settings, and ignored: SOUNDFERRY_FAVORITE\./g)).toHaveLength(1);
  expect(stderr.match(/Set by a container platform/g)).toHaveLength(1);
});

test("[R3][I4] recognizes a running relay and importer", async () => {
  await using machine = await makeMachine();
  const up = machine.start(["up", "--json"]);
  await up.until(({ stdout }) => stdout.endsWith("\n"));
  const { relay_url: relay, panel_port: panel } = JSON.parse(up.stdout);
  const ports = ["--port", new URL(relay).port, "--panel-port", String(panel)];
  const words = ["doctor", "--json", ...ports, "--relay-url", relay];
  const { ok, findings }: { ok: boolean; findings: Finding[] } = JSON.parse(
    (await machine.run(words)).stdout,
  );
  const find = (wanted: string) => findings.find(({ check }) => check === wanted);
  expect(find("relay-port")?.sentence).toContain("a Soundferry relay is running there");
  if (process.platform === "linux") {
    expect(find("panel-port")?.sentence).toContain("the importer is running there");
  }
  expect(find("importer-lock")?.sentence).toMatch(/^An importer is running \(process \d+/);
  expect(find("relay")?.sentence).toBe(`The relay at ${relay} is running (version 0.1.0).`);
  expect(find("clock")?.state).toBe("ok");
  expect(ok).toBe(true);
});
