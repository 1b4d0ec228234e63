import { assertSame, assertStatus, assertSuccess, partOf } from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { digestOf, itemOf, makeWav, manifestOf } from "../sounds.ts";

const SOUND = { file: "one.wav", bytes: makeWav() };
const SHA256 = digestOf(SOUND.bytes);
const EITHER_CASE = "2.4 sha256: 64 hex characters (either case)";

/** A SHA-256 in upper case, from its announcement to the importer. */
export const SHA256_CHECKS: readonly Check[] = [
  {
    id: "sha256-upper-case",
    rule: "M3",
    title: "a sha256 in upper case is 201, and without a warning",
    spec: EITHER_CASE,
    run: async (kit) => {
      const { announced } = await announce(kit);
      assertSuccess(announced, 201);
      if (kit.contract === "public") return;
      assertSame(partOf(announced.json, "warnings"), [], "warnings");
    },
  },
  {
    id: "sha256-upper-case-upload",
    rule: "U3",
    title: "a file announced with a sha256 in upper case is taken",
    spec: EITHER_CASE,
    run: async (kit) => assertStatus((await upload(kit)).answer, 200),
  },
  {
    id: "sha256-upper-case-etag",
    rule: "I2",
    title: "its ETag is in lower case",
    run: async (kit) => {
      const { made } = await upload(kit);
      await kit.commit(made);
      const { token } = made.app.device;
      const listed = await kit.listedAs(made);
      const path = String(partOf(listed, "files", SOUND.file));
      const { headers } = await kit.call("GET", path, { token });
      assertSame(headers.etag, `"${SHA256}"`, "ETag");
      const sha256 = partOf(listed, "manifest", "items", 0, "sha256");
      assertSame(sha256, SHA256, "The importer's sha256");
    },
  },
];

function announce(kit: Kit) {
  return kit.share("SHA-256 in upper case", async () => {
    const app = await kit.leastBusyApp();
    const items = [itemOf(SOUND, { sha256: SHA256.toUpperCase() })];
    return { app, announced: await kit.announce(app, manifestOf([], { items })) };
  });
}

function upload(kit: Kit) {
  return kit.share("SHA-256 in upper case, uploaded", async () => {
    const { app, announced } = await announce(kit);
    const made = kit.packageOf(app, [SOUND], announced);
    return { made, answer: await kit.put(made, SOUND) };
  });
}
