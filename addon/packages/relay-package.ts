import { parseLocalManifest } from "../../core/manifest/parse-manifest.ts";
import type { ImportablePackage } from "../../core/protocol/importer-api.ts";
import type { PackageSource } from "./package-source.ts";
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
      if (path === undefined) throw new MissingAtRelayError(sound.file);
      const { startByte, body } = await relay.openFile(path, options);
      return { startByte, body, fileBytes: sound.bytes ?? 0 };
    },
  };
}

/** The relay lists the package without this file; not retryable. */
class MissingAtRelayError extends Error {
  override readonly name = "MissingAtRelayError";
  readonly status = 404;

  constructor(file: string) {
    super(`The relay doesn't have ${file}.`);
  }
}
