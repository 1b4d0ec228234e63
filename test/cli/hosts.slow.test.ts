import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeMachine, runOnce } from "./run-soundferry.ts";

const KIT = join(import.meta.dirname, "../../fixtures/packages/one-shot-kit");
const NO_ANSWER =
  "Live doesn't answer. Open Live and choose Soundferry under Settings → Link, Tempo & MIDI; " +
  "`soundferry live status` says more.";

describe("importer import --host", () => {
  test("[K2][R9] live fails once, with what to do, where Live doesn't answer", async () => {
    await using machine = await makeMachine();
    for (const words of [[KIT, KIT], ["--all"]]) {
      const how = ["importer", "import", ...words, "--host", "live"];
      const { status, stdout, stderr } = await machine.runInside(how);
      expect({ status, stdout, stderr }).toEqual({
        status: 1,
        stdout: "",
        stderr: `${NO_ANSWER}\n`,
      });
    }
    const json = await machine.runInside(["importer", "import", KIT, "--host", "live", "--json"]);
    expect(JSON.parse(json.stdout)).toEqual({ error: NO_ANSWER, code: "HOST_NOT_READY" });
    expect(json.status).toBe(1);
  });

  test.each([[["--host", "preview"]], [[]]])(
    "[K2][R9] imports into the preview: %j",
    async (flags) => {
      const how = ["importer", ...flags, "import", KIT, "--json"];
      const { status, stdout } = await runOnce(how);
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ packages: [{ status: "imported" }] });
    },
  );

  test("[K2][R9] preview also imports at a running importer that waits for Live", async () => {
    await using machine = await makeMachine();
    const running = machine.start(["importer", "--host", "live", "--json"]);
    await running.until(({ stdout }) => stdout.endsWith("\n"));
    expect(JSON.parse(running.stdout)).toMatchObject({ host: "live" });
    await running.until(({ stderr }) => stderr.includes(NO_ANSWER));
    const there = await machine.runInside(["importer", "import", KIT]);
    expect(there).toMatchObject({ status: 1, stderr: `${NO_ANSWER}\n` });
    const { stdout } = await machine.runInside(["importer", "import", KIT, "--host", "preview"]);
    expect(stdout).toContain("10 of 10 sounds imported");
  });
});

describe("up --host", () => {
  test("[K2][R9] live starts, and waits for Live", async () => {
    await using machine = await makeMachine();
    const up = machine.start(["up", "--host", "live"]);
    await up.until(({ stdout }) => stdout.includes("pairing code"));
    expect(up.stdout).toMatch(/Relay +http:\/\/127\.0\.0\.1:\d+/);
    expect(up.stdout).toMatch(/Imports into +Live, once it answers/);
    await up.until(({ stderr }) => stderr.includes(NO_ANSWER));
  });

  test("[K2][K3] with any other value is the relay's address, also beside an importer's host", async () => {
    const away = ["--host", "203.0.113.7"];
    for (const flags of [away, [...away, "--host", "live"], ["--host", "live", ...away]]) {
      const { status, stderr } = await runOnce(["up", ...flags]);
      expect(stderr).toContain("203.0.113.7 is not an address of this computer.");
      expect(status).toBe(1);
    }
  });

  test("[K2] prints the host that it chose", async () => {
    await using machine = await makeMachine();
    const up = machine.start(["up", "--json"], { SOUNDFERRY_HOST: "127.0.0.1" });
    await up.until(({ stdout }) => stdout.endsWith("\n"));
    expect(JSON.parse(up.stdout)).toMatchObject({ host: "preview" });
  });
});
