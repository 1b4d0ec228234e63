import type { Manifest, Sound, Warning } from "../../core/manifest/manifest.ts";
import type { ImportablePackage } from "../../core/protocol/importer-api.ts";
import { parseOffered } from "../../core/protocol/offered-package.ts";
import { RelayError } from "../relay/relay-errors.ts";
import type { OpenedFile, RelayPort, Reporter } from "../relay/relay-port.ts";

/** A package to import, from a relay or a local folder. */
export interface PackageSource {
  readonly packageId: string;
  readonly manifest: Manifest;
  readonly warnings: readonly Warning[];
  /** Sounds that are unusable before their file is read, as sound id → sentence. */
  readonly problems: ReadonlyMap<string, string>;
  /** The relay that grants the lease and gets the report; undefined for a local package, which has neither. */
  readonly relay: RelayPort | undefined;
  /**
   * The relay that an earlier run reported a saved package to, which gets later reports, too; absent without one. It
   * has `report` if it answers now.
   */
  readonly reportsTo?: Reporter & Partial<Pick<RelayPort, "report">>;
  /** Status and results as the relay listed them last; absent for a local package. */
  readonly listed?: Pick<ImportablePackage, "status" | "taken" | "results">;
  /**
   * Opens a sound's file at `startByte`. Aborting the signal closes the body.
   * @throws {Error} with a sentence, and a `status` where a relay answered
   */
  open(
    sound: Sound,
    options: { readonly startByte: number; readonly signal: AbortSignal },
  ): Promise<SoundStream>;
}

export interface SoundStream extends OpenedFile {
  /** Size of the whole file. */
  readonly fileBytes: number;
}

/**
 * Makes a source of a package at a relay.
 * @throws {Refusal} when the whole manifest is unusable
 */
export function relayPackage(waiting: ImportablePackage, relay: RelayPort): PackageSource {
  const { manifest, warnings, problems } = parseOffered(waiting);
  const paths = new Map(Object.entries(waiting.files));
  return {
    packageId: waiting.package_id,
    manifest,
    warnings,
    problems,
    relay,
    listed: waiting,
    open: async (sound, options) => {
      const path = paths.get(sound.file);
      // The relay would answer the same, because it lists the package without this file.
      if (path === undefined) {
        const sentence = `The relay doesn't have ${sound.file}.`;
        throw new RelayError(404, sentence, { code: "FILE_UNKNOWN" });
      }
      return { ...(await relay.openFile(path, options)), fileBytes: sound.bytes ?? 0 };
    },
  };
}

/** Returns the relay that gets a package's report, if any. */
export function reporterOf({ relay, reportsTo }: PackageSource): PackageSource["reportsTo"] {
  return relay ?? reportsTo;
}
