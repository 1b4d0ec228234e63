import type { JsonObject } from "../../core/text/json-object.ts";
import {
  isSoundFileName,
  type Manifest,
  SCHEMA,
  type Sound,
} from "../../core/manifest/manifest.ts";
import type { PackageDraft, SoundDraft } from "./package-draft.ts";
import { blobOf, fileNameOf } from "./sound-bytes.ts";

// Fields of the format that a draft can describe. An app can't send what is omitted here.
type Head = Omit<Manifest, "package_id" | "created_at" | "items">;
type Source = Omit<Manifest["source"], "platform">;
type Tempo = Omit<NonNullable<Manifest["tempo"]>, "time_signature">;
type Item = Omit<Sound, "bytes" | "sha256">;
/** An object with every field, so that forgetting one does not compile. */
type Every<Fields> = Record<keyof Fields, unknown>;

/** A draft in the manifest's format, without `bytes` and `sha256` but with each sound's bytes. */
export interface DescribedPackage {
  /** The manifest without its `items`. */
  readonly head: JsonObject;
  /** Sounds in the draft's order. */
  readonly sounds: readonly DescribedSound[];
}

export interface DescribedSound {
  /** The sound's name on the relay. */
  readonly file: string;
  /** The sound's entry in `items`. */
  readonly item: JsonObject;
  readonly blob: Blob;
}

/**
 * Names the files and converts the draft to the manifest's format. Omitted fields stay omitted and wrong
 * values stay wrong: the relay validates.
 * @param appName for a draft that names no app
 * @throws {ClientError} `SOUND_UNREADABLE` for a source that has no bytes
 */
export function describePackage(
  draft: PackageDraft,
  appName: string | undefined,
): DescribedPackage {
  const { title, bpm, app = appName, appVersion } = draft;
  const head = withoutMissing({
    schema: SCHEMA,
    title,
    source: withoutMissing({ app, app_version: appVersion } satisfies Every<Source>),
    tempo: bpm === undefined ? undefined : ({ bpm } satisfies Every<Tempo>),
  } satisfies Every<Head>);
  const taken = new Set(draft.sounds.map(({ file }) => file));
  const sounds = draft.sounds.map((sound, index): DescribedSound => {
    const blob = blobOf(sound.source, `Sound ${index + 1}`);
    const file = sound.file ?? freeFileName(fileNameOf(blob), index + 1, taken);
    taken.add(file);
    return { file, item: describeSound(sound, file, fileNameOf(blob)), blob };
  });
  return { head, sounds };
}

function describeSound(sound: SoundDraft, file: string, ownName: string | undefined): JsonObject {
  return withoutMissing({
    file,
    id: sound.id,
    name: sound.name ?? ownName?.replace(/\.[^.]*$/, ""),
    kind: sound.kind,
    role: sound.role,
    bpm: sound.bpm,
    length_beats: sound.lengthBeats,
    warp_mode: sound.warpMode,
    color: sound.color,
    gain_db: sound.gainDb,
  } satisfies Every<Item>);
}

function freeFileName(
  own: string | undefined,
  position: number,
  taken: ReadonlySet<string | undefined>,
): string {
  if (own !== undefined && isSoundFileName(own) && !taken.has(own)) return own;
  let numbered = `sound-${position}.wav`;
  while (taken.has(numbered)) numbered = `again-${numbered}`;
  return numbered;
}

function withoutMissing(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
