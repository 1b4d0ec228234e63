import { isJsonObject, type JsonObject } from "../../core/text/json-object.ts";
import type { ClientError, ClientErrorFacts } from "../wire/client-error.ts";

/** How a package's sound is named in sentences, and how errors identify it. */
export interface SoundName {
  readonly name: string;
  readonly sound: string;
  readonly file: string;
  readonly position: number;
}

/** The sounds of a manifest, by their name on the relay. */
export function soundNamesOf({ items }: JsonObject): ReadonlyMap<string, SoundName> {
  const sounds = Array.isArray(items) ? items.filter(isJsonObject) : [];
  return new Map(
    sounds.map((item, index) => {
      const file = String(item["file"]);
      return [file, soundNameOf(item, file, index + 1)];
    }),
  );
}

/** @param position counted from 1 */
export function soundNameOf({ id, name }: JsonObject, file: string, position: number): SoundName {
  return {
    name: typeof name === "string" && name.trim() !== "" ? name : file,
    sound: typeof id === "string" ? id : String(position),
    file,
    position,
  };
}

/** The same error with more facts; a sentence about a file names the sound by its own name. */
export function errorWith(
  error: ClientError,
  facts: ClientErrorFacts,
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

/** The relay shortens a long file name in its sentence. */
function withOwnName(sentence: string, { file, name }: SoundName): string {
  const [label = ""] = sentence.split(": ", 1);
  const isFile = label.endsWith("…") ? file.startsWith(label.slice(0, -1)) : label === file;
  return isFile ? `${name}${sentence.slice(label.length)}` : sentence;
}
