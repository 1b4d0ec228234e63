import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeLocalPackage } from "../../addon/importer-at-work.ts";
import { fixtureFolder } from "../../fixtures/fixture-packages.ts";
import { makeMachine } from "../run-soundferry.ts";
import { brief, follow } from "./preview-at-work.ts";

/** Limits the following processes to a few watched folders. */
const FEW_WATCHES = "echo 3 > /proc/sys/user/max_inotify_watches";
const CAN_LIMIT = spawnSync("unshare", ["-Ur", "bash", "-c", FEW_WATCHES]).status === 0;

test("[K2] preview prints its page's address on one line, and runs until Ctrl-C", async () => {
  await using machine = await makeMachine();
  const kit = await writeLocalPackage(join(machine.home, "Kit"), "Kit", ["Kick"]);
  const command = machine.start(["preview", kit, "--watch", "--json"]);
  await command.until(({ stdout }) => stdout.endsWith("\n"));
  const { url, port, ...told } = JSON.parse(command.stdout);
  expect(told).toEqual({ folders: [kit], watching: true });
  expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/#[\\w-]{43}$`));
  const page = await fetch(url);
  expect(await page.text()).toMatch(/^<!doctype html>/i);
  command.interrupt();
  expect(await command.ended).toMatchObject({ status: 0, stderr: "Stopping the preview.\n" });
});

test("[K2] preview prints its settings, and what it can't show", async () => {
  await using machine = await makeMachine();
  const command = machine.start(["preview", fixtureFolder("gains"), machine.home]);
  await command.until(({ stderr }) => stderr.includes("\n"));
  expect(command.stdout).toMatch(/Page +http:\/\/127\.0\.0\.1:\d+\/#\S+\n +Shows +1 package\n/);
  expect(command.stderr).toContain(`${machine.home}: No package found`);
});

test("[K1] an invalid port is wrong use, and a port in use is reported in a sentence", async () => {
  await using machine = await makeMachine();
  const kit = fixtureFolder("gains");
  const wrong = await machine.run(["preview", kit, "--port", "http"]);
  expect(wrong).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("--port must be a number from 0 to 65535."),
  });
  const first = machine.start(["preview", kit, "--json"]);
  await first.until(({ stdout }) => stdout.endsWith("\n"));
  const { port } = JSON.parse(first.stdout);
  const second = await machine.run(["preview", kit, "--port", String(port), "--json"]);
  expect(second.status).toBe(1);
  expect(JSON.parse(second.stdout)).toEqual({
    error: `Port ${port} is in use by another program. Choose another one with --port, or leave it out.`,
  });
});

test.skipIf(!CAN_LIMIT)(
  "[V4] says when the system can't watch more folders, and a reload shows every edit (needs unshare)",
  async () => {
    await using machine = await makeMachine();
    const library = join(machine.home, "library");
    for (const name of ["A", "B", "C", "D"]) {
      await writeLocalPackage(join(library, name), name, ["Kick"]);
    }
    const preview = `"${process.execPath}" cli/soundferry.ts preview "${library}" --watch --json`;
    const command = machine.type(`unshare -Ur bash -c '${FEW_WATCHES}; exec ${preview}'`);
    await command.until(({ stderr }) => stderr.includes("fs.inotify.max_user_watches"));
    const { url, port } = JSON.parse(command.stdout);
    const server = { port, secret: new URL(url).hash.slice(1) };
    for (const name of ["A", "B", "C", "D"]) {
      await writeFile(join(library, name, "manifest.json"), "{");
    }
    const page = await follow(server);
    await page.sees((scenes) => new Set(brief(scenes)).size === 1);
    expect(page.states.at(-1)?.trouble).toContain("max_user_watches");
  },
);
