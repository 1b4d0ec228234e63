import type { Answer } from "../answer.ts";
import { assertSuccess, listOf, partOf } from "../assert.ts";
import type { Kit } from "../kit.ts";
import { LIMITS } from "../limits.ts";
import { itemOf, makeWav, manifestOf } from "../sounds.ts";
import type { TextCase, TextField } from "./names-case.ts";
import { PACKAGE_TEXTS } from "./names-of-packages.ts";
import { NAMES } from "./names-of-sounds.ts";

const BYTES = makeWav();

/** A text with its place. */
export interface PlacedText extends Omit<TextCase, "texts"> {
  readonly sent: string;
  readonly kept: string;
  /** The package that has it. */
  readonly group: number;
  /** The file of its sound, if it is a name. */
  readonly file: string;
}

/** Every text. */
export const TEXTS = [...NAMES, ...PACKAGE_TEXTS].reduce<readonly PlacedText[]>(place, []);

/** Puts texts where there is still room: 32 names in a package, and one of each other field. */
function place(placed: readonly PlacedText[], { texts, ...one }: TextCase): readonly PlacedText[] {
  const before = placed.filter(({ field }) => field === one.field).length;
  const room = one.field === "name" ? LIMITS.sounds : 1;
  const now = texts.map((text, at): PlacedText => {
    const [sent, kept] = typeof text === "string" ? [text, text] : text;
    const count = before + at;
    const position = (count % room) + 1;
    const group = Math.floor(count / room);
    return {
      ...one,
      sent,
      kept: kept ?? defaultOf(one.field, position),
      group,
      file: `${position}.wav`,
    };
  });
  return [...placed, ...now];
}

function defaultOf(field: TextField, position: number): string {
  if (field === "name") return `Sound ${position}`;
  return field === "title" ? "Untitled" : "App";
}

/** Announces the texts of a group, and uploads the files. @throws {AssertionFailure} if the package is refused */
export function uploadTexts(kit: Kit, group: number) {
  return kit.share(`texts ${group}`, async () => {
    const texts = TEXTS.filter((one) => one.group === group);
    const of = (wanted: TextField) => texts.filter(({ field }) => field === wanted);
    const [title, app, version, platform] = (
      ["title", "source.app", "source.app_version", "source.platform"] as const
    ).map((field) => of(field)[0]?.sent);
    const names = of("name");
    const sounds = (names.length > 0 ? names : texts.slice(0, 1)).map(({ file }) => ({
      file,
      bytes: BYTES,
    }));
    const items = sounds.map((sound, at) => itemOf(sound, { name: names[at]?.sent }));
    const source = { app, app_version: version, platform };
    const sender = await kit.leastBusyApp();
    const announced = await kit.announce(sender, manifestOf([], { title, source, items }));
    assertSuccess(announced, 201);
    const made = kit.packageOf(sender, sounds, announced);
    const answers: Answer[] = [];
    for (const sound of sounds) answers.push(await kit.put(made, sound));
    return { made, answers };
  });
}

/** Returns what the importer gets for texts, and the codes of the warnings on them. */
export function readTexts(kit: Kit, group: number) {
  return kit.share(`texts ${group}, read`, async () => {
    const { made } = await uploadTexts(kit, group);
    await kit.commit(made);
    const manifest = partOf(await kit.listedAs(made), "manifest");
    const items = listOf(manifest, "items");
    const warnings = listOf(made.announced.json, "warnings");
    return {
      textOf: ({ field, file }: PlacedText): unknown =>
        field === "name"
          ? partOf(
              items.find((item) => partOf(item, "file") === file),
              "name",
            )
          : partOf(manifest, ...field.split(".")),
      codesOf: ({ field, file }: PlacedText): readonly unknown[] => {
        const sound = field === "name" ? file.replace(".wav", "") : undefined;
        return warnings
          .filter((one) => partOf(one, "field") === field && partOf(one, "sound") === sound)
          .map((one) => partOf(one, "code"));
      },
    };
  });
}
