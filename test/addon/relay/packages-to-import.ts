import { createHash } from "node:crypto";
import type { Sound } from "../../../core/manifest/manifest.ts";
import type { ImportablePackage } from "../../../core/protocol/importer-api.ts";
import { smallWav } from "../../wav-bytes.ts";
import type { StandInRelay } from "./stand-in-relay.ts";

/** Puts a package of one-shots with these names at the stand-in, waiting for Import. */
export function offerPackage(
  relay: StandInRelay,
  packageId: string,
  names: readonly string[],
): ImportablePackage {
  const files: Record<string, string> = {};
  const items = names.map((name, index) => {
    const wav = smallWav({ frames: 1000 + index });
    const file = `${index + 1}.wav`;
    const path = `/importer/packages/${packageId}/files/${file}`;
    files[file] = path;
    relay.files.set(path, wav);
    const sha256 = createHash("sha256").update(wav).digest("hex");
    const id = String(index + 1);
    return { file, bytes: wav.length, sha256, id, name, kind: "oneshot" as const };
  });
  const offered: ImportablePackage = {
    package_id: packageId,
    status: "waiting",
    app_name: "Looper",
    manifest: {
      schema: "app2host/1",
      package_id: packageId,
      title: `Kit ${packageId.slice(4)}`,
      source: { app: "Looper" },
      items: items satisfies readonly Sound[],
    },
    files,
    taken: false,
    created_at: "2026-11-21T12:00:00.000Z",
    committed_at: "2026-11-21T12:00:01.000Z",
    expires_at: "2026-11-22T12:00:01.000Z",
    expires_in: 86_400,
  };
  relay.packages.unshift(offered);
  return offered;
}
