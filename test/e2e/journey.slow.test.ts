import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { IN_PREVIEW } from "../../addon/hosts/preview/preview-host.ts";
import type { SoundResult } from "../../core/protocol/package-status.ts";
import { makeMachine } from "../cli/run-soundferry.ts";

const KIT = join(import.meta.dirname, "..", "..", "fixtures", "packages", "one-shot-kit");

test("[K1][K2][T1][S3][F1] up, pair, send, import: send prints the result of each sound", async () => {
  await using machine = await makeMachine();
  const up = machine.start(["up"]);
  await up.until(({ stdout }) => stdout.includes("Send a first package"));
  const relay = /^ +Relay +(\S+)$/m.exec(up.stdout)?.[1] ?? "";
  const code = /│ +([2-9A-Z]{3} [2-9A-Z]{3}) +│/.exec(up.stdout)?.[1] ?? "";
  expect(up.stdout).toContain(`--relay ${relay} --code "${code}"`);

  const send = machine.start(["send", KIT, "--relay", relay, "--code", code]);
  await send.until(({ stderr }) => stderr.includes("Waiting for Import"));
  expect(send.stderr).toContain("Paired with Test machine.");
  expect(send.stderr).toContain("Sent 10 of 10: ");
  expect(send.stdout).toBe("");

  const imported = await machine.runInside(["importer", "import", "--all"]);
  expect(imported.status).toBe(0);
  expect(imported.stdout).toContain("Kitchen Kit (Spoon & Kettle): 10 of 10 sounds imported.");

  const sent = await send.ended;
  expect(sent.status).toBe(0);
  expect(sent.stdout).toContain("Kitchen Kit was imported.");
  expect(sent.stdout).toMatch(
    / 1 {2}Kick Deep +imported +Kick Deep \(Spoon & Kettle\) +Kitchen Kit\/Kick Deep\.wav\n/,
  );
  const files = await readdir(join(machine.home, "Music", "Soundferry", "Kitchen Kit"));
  expect(files.filter((name) => name.endsWith(".wav"))).toHaveLength(10);

  const again = await machine.runInside(["importer", "import", "--all", "--json"]);
  expect(JSON.parse(again.stdout)).toEqual({ packages: [] });

  up.interrupt();
  const { status, stderr } = await up.ended;
  expect(status).toBe(0);
  expect(stderr).toMatch(
    /^Paired with Soundferry send\.\nPair another app in the panel, or with .* importer code\.\n[^]*New package from Soundferry send: Kitchen Kit, 10 sounds\.\nKitchen Kit \(Spoon & Kettle\): 10 of 10 sounds imported\.\nStopping\.\n$/,
  );
});

test("[K2][K5][R16] up --auto-import --code imports on arrival into the preview, and accepts the same code repeatedly", async () => {
  await using machine = await makeMachine();
  const up = machine.start(["up", "--auto-import", "--code", "k7m q2x", "--json"]);
  await up.until(({ stdout }) => stdout.endsWith("\n"));
  const { relay_url: relay, code, preview_session: session } = JSON.parse(up.stdout);
  expect(code).toBe("K7MQ2X");

  const sendJson = async (...words: string[]) => {
    const { stdout, status } = await machine.runInside([
      "send",
      "--relay",
      relay,
      "--json",
      ...words,
    ]);
    return { ...JSON.parse(stdout), exit: status };
  };
  const first = await sendJson(KIT, "--code", code);
  expect(first).toMatchObject({ status: "imported", title: "Kitchen Kit", warnings: [], exit: 0 });
  const results: SoundResult[] = Object.values(first.results);
  expect(results).toHaveLength(10);
  for (const { notes } of results) expect(notes).toContain(IN_PREVIEW);

  const loose = join(KIT, "rim.wav");
  const second = await sendJson(loose, "--app-name", "Scripted");
  expect(second).toMatchObject({ status: "imported", title: "Rim", exit: 0 });
  expect(second.results["1"].track).toBe("Rim (Scripted)");

  await up.until(({ stderr }) => stderr.includes("The pairing code K7M Q2X is valid again."));
  const third = await sendJson(loose, "--code", code, "--app-data", join(machine.home, "other"));
  expect(third).toMatchObject({ status: "imported", exit: 0 });

  const { scenes } = JSON.parse(await readFile(session, "utf8"));
  expect(scenes.map(({ name }: { name: string }) => name)).toEqual([
    "Kitchen Kit (Spoon & Kettle)",
    "Rim (Scripted)",
    "Rim (Soundferry send)",
  ]);
  expect(up.stdout.trim().split("\n")).toHaveLength(1);
});

test("[P2] up doesn't renew a code that expires, and says how to get another one", async () => {
  await using machine = await makeMachine();
  const up = machine.start(["up", "--pairing-code-ttl-s", "1"]);
  await up.until(({ stdout }) => stdout.includes("expires in 1 seconds"));
  await up.until(({ stderr }) =>
    /^The pairing code has expired\. Get another one .* importer code\.$/m.test(stderr),
  );
});
