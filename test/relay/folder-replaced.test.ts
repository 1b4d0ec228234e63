import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "vitest";
import { keysOfSounds } from "../contracts/relay/records/sound-key-cases.ts";
import { smallWav } from "../wav-bytes.ts";
import { slowPut } from "./http/slow-put.ts";
import { RunningRelay } from "./running-relay.ts";
import { temporaryFolder } from "./storage/sqlite/open-sqlite.ts";
import { soon } from "../sim/soon.ts";
import { manifestOf } from "../manifest-of.ts";

const FILES = ["a.wav", "b.wav"];

/** A relay with a package of two files, of which one is uploaded. */
async function halfUploaded() {
  const folder = await temporaryFolder();
  const settings = { SOUNDFERRY_DATA: join(folder.path, "data") };
  const relay = await RunningRelay.start(settings);
  const { token } = await relay.paired();
  const { json } = await relay.call("POST", "/packages", { token, body: manifestOf(FILES) });
  const packageId: string = json.package_id;
  const put = (file: string) => relay.call("PUT", json.upload[file], { token, body: smallWav() });
  await put("a.wav");
  return {
    relay,
    token,
    put,
    slowly: (file: string) => slowPut(relay, json.upload[file], token),
    commit: () => relay.call("POST", `/packages/${packageId}/commit`, { token }),
    sounds: join(relay.folder, "sounds"),
    aside: join(folder.path, "aside"),
    restart: async () => {
      await relay.stop();
      return RunningRelay.start(settings);
    },
    [Symbol.asyncDispose]: async () => {
      await relay.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe.concurrent("the folder of sounds under a running relay", () => {
  test("[Z2] D5: that is emptied gets nothing more, and once it is its own again the lost files are missing", async ({
    expect,
  }) => {
    await using own = await halfUploaded();
    const { relay, sounds, put, commit } = own;
    for (const name of await readdir(sounds)) await rm(join(sounds, name), { recursive: true });
    expect(await put("b.wav")).toMatchObject({ status: 503, json: { code: "NOT_READY" } });
    expect(await commit()).toMatchObject({ status: 503 });
    const readyz = await relay.call("GET", "/readyz");
    expect(readyz).toMatchObject({ status: 503, json: { reason: "lost" } });
    const errors = relay.logLines.filter((line) => line.includes("soundferry relay adopt"));
    expect(errors).not.toEqual([]);
    expect(await readdir(sounds)).toEqual([]);

    await writeFile(join(sounds, "instance"), relay.relay.context.instanceId ?? "");
    expect(await commit()).toMatchObject({ status: 409, json: { missing: FILES } });
    for (const file of FILES) expect((await put(file)).status).toBe(200);
    expect((await commit()).status).toBe(200);
    await using later = await own.restart();
    expect((await later.call("GET", "/readyz")).status).toBe(200);
  });

  test.for(["before", "during"])(
    "[Z2] D5: that is replaced %s an upload keeps nothing of it, and goes on when it is back",
    async (when, { expect }) => {
      await using own = await halfUploaded();
      const { relay, sounds, aside, put, commit } = own;
      const replace = async () => {
        await rename(sounds, aside);
        await mkdir(sounds);
        await writeFile(join(sounds, "instance"), "ins_another");
      };
      if (when === "before") {
        await replace();
        expect((await put("b.wav")).status).toBe(503);
      } else {
        const slow = own.slowly("b.wav");
        slow.write(smallWav().subarray(0, 60));
        const parts = async () => (await readdir(sounds, { recursive: true })).join();
        await soon(parts).toContain(".part");
        await replace();
        slow.write(smallWav().subarray(60));
        slow.end();
        expect((await slow.answer).status).toBe(503);
      }
      await relay.sweep().catch(() => undefined);
      expect(await readdir(sounds)).toEqual(["instance"]);

      await rm(sounds, { recursive: true });
      await rename(aside, sounds);
      expect((await put("b.wav")).status).toBe(200);
      expect((await commit()).status).toBe(200);
      await using later = await own.restart();
      expect((await later.call("GET", "/readyz")).status).toBe(200);
    },
  );

  test("[Z3] that is replaced keeps its doomed sounds on record until it is back", async ({
    expect,
  }) => {
    await using own = await halfUploaded();
    const { relay, token, sounds, aside } = own;
    const id = await relay.send(token);
    await rename(sounds, aside);
    await mkdir(sounds);
    expect((await relay.call("DELETE", `/packages/${id}`, { token })).status).toBe(200);
    const { soundKeys } = relay.relay.context;
    const doomed = await soundKeys.list({ state: "doomed", limit: 10 });
    expect(keysOfSounds(doomed)).toEqual([expect.stringContaining(id)]);
    await rm(sounds, { recursive: true });
    await rename(aside, sounds);
    await relay.sweep();
    expect(await soundKeys.list({ state: "doomed", limit: 10 })).toEqual([]);
    expect(await readdir(sounds)).not.toContain(id);
  });
});
