import { isJsonObject, type JsonObject } from "../../core/text/json-object.ts";
import type { ClientError, ClientErrorFacts } from "../wire/client-error.ts";

/** The name of a package's sound in sentences, and its identification in errors. */
export interface SoundName {
  readonly name: string;
  readonly sound: string;
  readonly file: string;
  readonly position: number;
}

/** Reads the sounds of a manifest, by their name on the relay. */
export function soundNamesOf({ items }: JsonObject): ReadonlyMap<string, SoundName> {
  const sounds = Array.isArray(items) ? items.filter(isJsonObject) : [];
  return new Map(
    sounds.map((item, index) => {
      const file = String(item["file"]);
      return [file, soundNameOf(item, file, index + 1)];
    }),
  );
}

/**
 * Reads one entry of a manifest's `items`.
 * @param position counted from 1
 */
export function soundNameOf({ id, name }: JsonObject, file: string, position: number): SoundName {
  return {
    name: typeof name === "string" && name.trim() !== "" ? name : file,
    sound: typeof id === "string" ? id : String(position),
    file,
    position,
  };
}

/** Adds facts to an error; in a sentence about a file, replaces the file's name with the sound's own name. */
export function errorWith(
  error: ClientError,
  facts: Pick<Partial<ClientErrorFacts>, "packageId" | "file">,
  names: ReadonlyMap<string, SoundName>,
): ClientError {
  const about = names.get(error.file ?? facts.file ?? "");
  const known = about && { sound: about.sound, file: about.file, position: about.position };
  const sentence = about === undefined ? error.message : withOwnName(error.message, about);
  const problems = error.problems.map((problem) => {
    const named = names.get(problem.file ?? "");
    return named === undefined ? problem : { ...problem, error: withOwnName(problem.error, named) };
  });
  return error.with(sentence, { ...facts, ...known, problems });
}

/** Replaces the file's name in a sentence, which the relay may have shortened. */
function withOwnName(sentence: string, { file, name }: SoundName): string {
  const [label = ""] = sentence.split(": ", 1);
  const isFile = label.endsWith("…") ? file.startsWith(label.slice(0, -1)) : label === file;
  return isFile ? `${name}${sentence.slice(label.length)}` : sentence;
}
