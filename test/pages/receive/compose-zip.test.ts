import { gunzipSync } from "node:zlib";
import { crc32 } from "node:zlib";
import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import { readWavHeaderAt } from "../../../core/audio/read-wav-header-at.ts";
import { parseManifest } from "../../../core/manifest/parse-manifest.ts";
import { formatLiveSetFile } from "../../../pages/receive/importer/download/format-live-set-file.ts";
import { composeZip } from "../../../pages/receive/importer/save/compose-zip.ts";
import type { PackageToSave } from "../../../pages/receive/importer/save/package-to-save.ts";
import { manifestOf } from "../../manifest-of.ts";
import { smallWav } from "../../wav-bytes.ts";

const SOUNDS = { "a.wav": smallWav({ fill: 1 }), "b.wav": smallWav({ frames: 500, fill: 2 }) };

/** A package of two sounds, of which these were fetched. */
async function packageWith(fetchedIds: readonly string[]): Promise<PackageToSave> {
  const { manifest, warnings } = parseManifest(manifestOf(SOUNDS, { title: "CON" }), {
    packageId: "pkg_a",
  });
  const saving = { manifest, warnings, fetched: new Map(), parts: new Map(), colorTurn: 3 };
  for (const [at, bytes] of Object.values(SOUNDS).entries()) {
    const id = String(at + 1);
    if (!fetchedIds.includes(id)) {
      saving.fetched.set(id, { error: "Not selected in Live." });
      continue;
    }
    const readAt = async (offset: number, length: number) =>
      bytes.subarray(offset, offset + length);
    const header = await readWavHeaderAt(readAt, bytes.byteLength, "a.wav");
    const { bytes: sizeBytes = 0, sha256 = "" } = manifest.items[at] ?? {};
    saving.fetched.set(id, { ...header, digest: { bytes: sizeBytes, sha256 } });
    saving.parts.set(id, { bytes: new Blob([new Uint8Array(bytes)]), crc32: crc32(bytes) });
  }
  return saving;
}

const filesOf = async (zip: Blob) => unzipSync(new Uint8Array(await zip.arrayBuffer()));

test("[RC7][RC11] the same package gives the same bytes, whole and with a Live Set", async () => {
  const both = await packageWith(["1", "2"]);
  const { zip, fileName, folderName, fileNameOf } = await composeZip(both, formatLiveSetFile);
  expect([fileName, folderName, fileNameOf("2")]).toEqual(["_CON.zip", "_CON", "b.wav"]);
  const files = await filesOf(zip);
  expect(Buffer.from(files["_CON/b.wav"] ?? [])).toEqual(SOUNDS["b.wav"]);
  const set = gunzipSync(files["_CON/_CON Project/_CON.als"] ?? new Uint8Array()).toString();
  expect(set).toContain('<RelativePath Value="../b.wav" />');
  const again = await composeZip(await packageWith(["1", "2"]), formatLiveSetFile);
  expect(await again.zip.bytes()).toEqual(await zip.bytes());
});

test("[RC7] only what was fetched is in the ZIP and in its manifest", async () => {
  const { zip } = await composeZip(await packageWith(["2"]), async () => null);
  const files = await filesOf(zip);
  expect(Object.keys(files)).toEqual(["_CON/b.wav", "_CON/_CON.dawproject", "_CON/manifest.json"]);
  const { items } = JSON.parse(new TextDecoder().decode(files["_CON/manifest.json"]));
  expect(items.map(({ id, file }: Record<string, string>) => [id, file])).toEqual([["2", "b.wav"]]);
});
