import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FileTokenStore } from "../../client/node/file-token-store.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "soundferry-tokens-"));
});
afterEach(async () => rm(folder, { recursive: true }));

test("[W7] stores one token per relay in a file that only its owner may read", async () => {
  const file = join(folder, "deep", "tokens.json");
  const here = new FileTokenStore(file, "http://here/");
  const there = new FileTokenStore(file, "https://there");
  expect(await here.load()).toBeUndefined();

  await here.save("sfa_here");
  await there.save("sfa_there");
  expect(await new FileTokenStore(file, "HTTP://Here").load()).toBe("sfa_here");
  expect(await there.load()).toBe("sfa_there");
  if (process.platform !== "win32") expect((await stat(file)).mode & 0o777).toBe(0o600);

  await here.forget("another");
  expect(await here.load()).toBe("sfa_here");
  await here.forget("sfa_here");
  expect(await here.load()).toBeUndefined();
  expect(await readFile(file, "utf8")).not.toContain("sfa_here");
  expect(await there.load()).toBe("sfa_there");
});

test.each(["{", "null", "7"])("says what to do about a damaged file: %s", async (text) => {
  const file = join(folder, "tokens.json");
  await writeFile(file, text);
  const loading = new FileTokenStore(file, "http://here").load();
  await expect(loading).rejects.toThrow("is damaged. Delete it and pair again.");
});
