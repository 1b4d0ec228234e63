import { type ParsedLocalManifest, parseLocalManifest } from "../manifest/parse-manifest.ts";
import type { ImportablePackage } from "./importer-api.ts";

/**
 * Parses a relay's package as leniently as a local one: a sound that the relay should have refused is skipped.
 * @throws {Refusal} when the whole manifest is unusable
 */
export function parseOffered({ package_id, manifest }: ImportablePackage): ParsedLocalManifest {
  const parsed = parseLocalManifest(manifest, { packageId: package_id });
  const unsized = parsed.manifest.items.filter((sound) => sound.bytes === undefined);
  const problems = new Map([
    ...unsized.map(({ id, file }): [string, string] => [id, `${file}: its size is not known.`]),
    ...parsed.problems,
  ]);
  return { ...parsed, problems };
}
