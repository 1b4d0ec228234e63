import { parseLocalManifest } from "../../core/manifest/parse-manifest.ts";
import type { ImportablePackage } from "../../core/protocol/importer-api.ts";
import type { PackageSource } from "./package-source.ts";
import { RelayError } from "../relay/relay-errors.ts";
import type { RelayPort } from "../relay/relay-port.ts";

/**
 * Makes a source of a package at a relay. Parses its manifest as leniently as a local one: a sound that
 * the relay should have refused is skipped.
 * @throws {Refusal} when the whole manifest is unusable
 */
export function relayPackage(waiting: ImportablePackage, relay: RelayPort): PackageSource {
  const { manifest, warnings, problems } = parseLocalManifest(waiting.manifest, {
    packageId: waiting.package_id,
  });
  const paths = new Map(Object.entries(waiting.files));
  const unsized = manifest.items.filter((sound) => sound.bytes === undefined);
  return {
    packageId: waiting.package_id,
    manifest,
    warnings,
    problems: new Map([
      ...unsized.map(({ id, file }): [string, string] => [id, `${file}: its size is not known.`]),
      ...problems,
    ]),
    relay,
    listed: waiting,
    open: async (sound, options) => {
      const path = paths.get(sound.file);
      // As the relay answers itself: it lists the package without this file.
      if (path === undefined) {
        const sentence = `The relay doesn't have ${sound.file}.`;
        throw new RelayError(404, sentence, { code: "FILE_UNKNOWN" });
      }
      return { ...(await relay.openFile(path, options)), fileBytes: sound.bytes ?? 0 };
    },
  };
}
