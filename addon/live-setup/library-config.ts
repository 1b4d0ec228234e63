const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  quot: '"',
};

/** Where Live's own file says that the User Library is: a folder, and the library's name in it. */
export interface ConfiguredLibrary {
  readonly folder: string;
  readonly name: string;
}

/**
 * Reads the User Library's place from Live's `Library.cfg`, an XML file; undefined where it doesn't say.
 * The format isn't documented: a wrong guess only means that the usual places are tried.
 */
export function parseLibraryConfig(text: string): ConfiguredLibrary | undefined {
  const [section = text] = /<UserLibrary\b[\s\S]*?<\/UserLibrary>/.exec(text) ?? [];
  const folder = valueOf("ProjectPath", section);
  if (folder === undefined || folder === "") return undefined;
  return { folder, name: valueOf("ProjectName", section) || "User Library" };
}

function valueOf(element: string, text: string): string | undefined {
  const value = new RegExp(`<${element}\\s+Value="([^"]*)"`).exec(text)?.[1];
  return value?.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, decodeEntity);
}

function decodeEntity(whole: string, decimal?: string, hex?: string, name = ""): string {
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  const isCharacter = code <= 0x10_ff_ff;
  return isCharacter ? String.fromCodePoint(code) : (ENTITIES[name] ?? whole);
}
