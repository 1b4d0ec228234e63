import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type SeenRequest, startStandIn } from "../client/stand-in-relay.ts";
import { relayWhere } from "./relay-where.ts";
import { smallWav } from "../wav-bytes.ts";
import { SAVED_AS_FILES } from "../../core/protocol/package-status.ts";
import { makeMachine } from "./run-soundferry.ts";

const manifestIn = ({ seen }: { seen: SeenRequest[] }) =>
  JSON.parse(String(seen.find(({ path }) => path === "/packages")?.body));

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("what send announces", () => {
  test("[K2] loose files are named after their files, each with a valid name and file", async () => {
    await using machine = await makeMachine();
    await using relay = await startStandIn(relayWhere({ status: "waiting" }));
    const folder = join(machine.home, "My Drums");
    await mkdir(folder);
    for (const name of ["kick 10.wav", "kick 2.WAV", "Größe.wav", "._kick.wav", "notes.txt"]) {
      await writeFile(join(folder, name), name);
    }
    const words = ["send", folder, "--relay", relay.url, "--code", "x", "--no-follow"];
    expect((await machine.runInside(words)).status).toBe(0);
    expect(manifestIn(relay)).toMatchObject({
      schema: "app2host/1",
      title: "My Drums",
      source: { app: "Soundferry send" },
      items: [
        { file: "sound-1.wav", name: "Größe", kind: "oneshot" },
        { file: "kick 2.WAV", name: "Kick 2", kind: "oneshot", role: "drums", bytes: 10 },
        {
          file: "kick 10.wav",
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ],
    });
  });

  test("[M11] a manifest in UTF-16 is refused with a sentence that names it", async () => {
    await using machine = await makeMachine();
    await writeFile(join(machine.home, "manifest.json"), "\u{FEFF}{}", "utf16le");
    const words = ["send", machine.home, "--relay", "http://127.0.0.1:9", "--code", "x"];
    const { stderr } = await machine.runInside(words);
    expect(stderr).toContain("manifest.json is UTF-16. Save it as plain UTF-8 text.");
  });

  test("[K2] a folder with a manifest is sent as it is, with size and checksum filled in where they are missing", async () => {
    await using machine = await makeMachine();
    await using relay = await startStandIn(relayWhere({ status: "waiting" }));
    const given = { file: "b.wav", bytes: 99, sha256: "wrong" };
    const manifest = {
      schema: "app2host/7",
      mood: "calm",
      items: [{ file: "a.wav" }, given, { file: "../secret.wav" }, 7],
    };
    await writeFile(join(machine.home, "manifest.json"), `\u{FEFF}${JSON.stringify(manifest)}`);
    await writeFile(join(machine.home, "a.wav"), "abc");
    await writeFile(join(machine.home, "b.wav"), "abc");
    const words = ["send", machine.home, "--relay", relay.url, "--code", "x", "--no-follow"];
    await machine.runInside(words);
    expect(manifestIn(relay)).toEqual({
      ...manifest,
      items: [
        {
          file: "a.wav",
          bytes: 3,
          sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        },
        given,
        { file: "../secret.wav" },
        7,
      ],
    });
  });

  test("[G17] a WAV that relays refuse is repaired, and stderr says how", async () => {
    await using machine = await makeMachine();
    await using relay = await startStandIn(relayWhere({ status: "waiting" }));
    const folder = join(machine.home, "Voices");
    await mkdir(folder);
    const streamed = smallWav({ fill: 7 });
    streamed.writeUInt32LE(0xffff_ffff, 40);
    await writeFile(join(folder, "One Shot.wav"), streamed);
    await writeFile(join(folder, "Twice.wav"), Buffer.concat([smallWav(), smallWav()]));
    const words = ["send", folder, "--relay", relay.url, "--code", "x", "--no-follow"];
    const { stderr } = await machine.runInside(words);
    expect(stderr).toContain(
      "One Shot.wav: Its header had no length (it was streamed); the length was measured.\n" +
        "Twice.wav: 50 % of the file isn’t used: a second WAV follows the first.\n",
    );
    const sent = relay.seen.find(({ path }) => path.endsWith("One%20Shot.wav"))?.body;
    expect(Buffer.from(sent ?? "")).toEqual(smallWav({ fill: 7 }));
    expect(manifestIn(relay).items).toMatchObject([
      { kind: "oneshot", bytes: 244 },
      { bytes: 488 },
    ]);
  });

  test("[G17] in a folder with a manifest, a file is repaired unless the manifest contradicts it", async () => {
    await using machine = await makeMachine();
    await using relay = await startStandIn(relayWhere({ status: "waiting" }));
    const cut = smallWav().subarray(0, -1);
    const right = { bytes: 243, sha256: hashOf(cut).toUpperCase() };
    const items = [
      { file: "0.wav" },
      { file: "1.wav", ...right },
      { file: "2.wav", bytes: 244 },
      { file: "3.wav", sha256: hashOf(smallWav()) },
    ];
    for (const { file } of items) await writeFile(join(machine.home, file), cut);
    await writeFile(join(machine.home, "manifest.json"), JSON.stringify({ items }));
    const words = ["send", machine.home, "--relay", relay.url, "--code", "x", "--no-follow"];
    const { stderr } = await machine.runInside(words);
    expect(stderr.match(/\d\.wav: Its last bytes are missing/g)).toHaveLength(2);
    const repaired = { bytes: 242, sha256: hashOf(smallWav({ frames: 99 })) };
    expect(manifestIn(relay).items).toEqual([
      { file: "0.wav", ...repaired },
      { file: "1.wav", ...repaired },
      { file: "2.wav", bytes: 244, sha256: hashOf(cut) },
      { file: "3.wav", bytes: 243, sha256: hashOf(smallWav()) },
    ]);
  });

  test("does not follow a link out of the folder", async () => {
    await using machine = await makeMachine();
    const folder = join(machine.home, "package");
    await mkdir(folder);
    await writeFile(join(machine.home, "secret.wav"), "secret");
    await symlink(join(machine.home, "secret.wav"), join(folder, "a.wav"));
    await writeFile(join(folder, "manifest.json"), '{"items": [{"file": "a.wav"}]}');
    const { status, stderr } = await machine.runInside(["send", folder]);
    expect(stderr).toContain("a.wav is outside its folder.");
    expect(status).toBe(1);
  });
});

describe("how send ends", () => {
  const wav = "a.wav";

  test.each([
    { ending: "imported", exit: 0, says: "Take was imported." },
    { ending: "partial", exit: 1, says: "Take was imported in part." },
    { ending: "failed", exit: 1, says: "Take could not be imported." },
    { ending: "expired", exit: 1, says: "expired before import; send it again." },
  ])("[K1] exits $exit when the package is $ending", async ({ ending, exit, says }) => {
    await using machine = await makeMachine();
    await using relay = await startStandIn(
      relayWhere({
        status: ending,
        results: {
          1: {
            status: "failed",
            error: "Live would not \u001b[2Jtake it.",
            differences: [{ setting: "warp mode", asked: "beats", got: "complex" }],
          },
        },
      }),
    );
    await writeFile(join(machine.home, wav), "x");
    const words = ["send", join(machine.home, wav), "--relay", relay.url, "--code", "x"];
    const { status, stdout, stderr } = await machine.runInside(words);
    expect(status).toBe(exit);
    expect(stdout).toContain(says);
    expect(stdout).toContain("1  A: Live would not \u{FFFD}[2Jtake it.\n");
    expect(stdout).toContain("1  A: warp mode should be beats and is complex.");
    expect(stderr).toContain("Warning: A: name was cut.\nWarning: midi was ignored.\n");
  });

  test.each([
    { ending: "imported", exit: 0, says: "Take was saved." },
    { ending: "partial", exit: 1, says: "Take was saved in part." },
  ])("[R16] exits $exit when the package was only saved, and $ending", async (expected) => {
    await using machine = await makeMachine();
    const results = { 1: { status: "imported", file: "A.wav", notes: [SAVED_AS_FILES] } };
    const answer = { status: expected.ending, results };
    await using relay = await startStandIn(relayWhere(answer));
    await writeFile(join(machine.home, wav), "x");
    const words = ["send", join(machine.home, wav), "--relay", relay.url, "--code", "x"];
    const { status, stdout } = await machine.runInside(words);
    expect(status).toBe(expected.exit);
    expect(stdout).toContain(expected.says);
    expect(stdout).toMatch(/1 {2}A +saved +– +A\.wav/);
  });

  test("[K1][S7] --json prints the last status with the warnings, and nothing else on stdout", async () => {
    await using machine = await makeMachine();
    await using relay = await startStandIn(relayWhere({ status: "imported", results: {} }));
    await writeFile(join(machine.home, wav), "x");
    const words = ["send", join(machine.home, wav), "--relay", relay.url, "--code", "x", "--json"];
    expect(JSON.parse((await machine.runInside(words)).stdout)).toEqual({
      title: "Take",
      status: "imported",
      results: {},
      warnings: [expect.anything(), expect.anything()],
    });
  });

  test("names a refused sound and withdraws the package", async () => {
    await using machine = await makeMachine();
    let withdrawals = 0;
    await using relay = await startStandIn((request) => {
      if (request.method === "PUT") {
        return { status: 422, body: { error: "A: not a WAV file.", code: "WAV_NOT_RIFF" } };
      }
      if (request.method === "DELETE") withdrawals += 1;
      return withdrawals > 1
        ? { status: 404, body: { error: "There is no such package.", code: "PACKAGE_UNKNOWN" } }
        : relayWhere({})(request);
    });
    await writeFile(join(machine.home, wav), "x");
    const words = ["send", join(machine.home, wav), "--relay", relay.url, "--code", "x", "--json"];
    const { status, stdout, stderr } = await machine.runInside(words);
    expect(JSON.parse(stdout)).toEqual({ error: "A: not a WAV file.", code: "WAV_NOT_RIFF" });
    expect(status).toBe(1);
    expect(stderr).not.toContain("is deleted when its upload time ends");
    expect(relay.seen.at(-1)?.method).toBe("DELETE");
  });
});

describe("how send pairs", () => {
  test("[K2] remembers its token per relay, readable by its user alone, and keeps its app id", async () => {
    await using machine = await makeMachine();
    await using relay = await startStandIn(relayWhere({ status: "imported" }));
    await writeFile(join(machine.home, "a.wav"), "x");
    const words = ["send", join(machine.home, "a.wav"), "--relay", relay.url];
    const unpaired = await machine.runInside(words);
    expect(unpaired.stderr).toContain("Not paired with this relay yet.");
    expect(unpaired.status).toBe(2);
    await machine.runInside([...words, "--code", "K7M Q2X"]);
    const later = await machine.runInside(words);
    expect(later.stderr).toContain("Sending to Studio.");
    await machine.runInside([...words, "--code", "K7M Q2X"]);
    const claims = relay.seen.filter(({ path }) => path === "/pair/claim");
    const [first, second] = claims.map(({ body }) => JSON.parse(String(body)));
    expect(first).toMatchObject({ code: "K7MQ2X", app_name: "Soundferry send" });
    expect(second.app_id).toBe(first.app_id);
    const tokens = await readFile(join(machine.home, "data", "soundferry", "app", "tokens.json"));
    expect(JSON.parse(String(tokens))).toEqual({ [relay.url]: "sfa_x" });
  });

  test.each([
    ["a relay", { code: "CODE_UNKNOWN" }],
    ["one that knows the public interface only", {}],
  ])("refuses a code that was used at %s, and says what is already paired", async (_, more) => {
    await using machine = await makeMachine();
    let isUsed = false;
    await using relay = await startStandIn((request) => {
      if (request.path !== "/pair/claim" || !isUsed)
        return relayWhere({ status: "imported" })(request);
      return { status: 404, body: { error: "This code is used.", ...more } };
    });
    await writeFile(join(machine.home, "a.wav"), "x");
    const words = ["send", join(machine.home, "a.wav"), "--relay", relay.url, "--code", "K7MQ2X"];
    await machine.runInside(words);
    isUsed = true;
    const { status, stderr } = await machine.runInside(words);
    expect(stderr).toBe("This code is used. To send to Studio again, leave --code out.\n");
    expect(status).toBe(1);
  });
});
