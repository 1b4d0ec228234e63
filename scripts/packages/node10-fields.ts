/** A package.json's `exports`: for an entry either a file, or its types and its code. */
export type Exports = Readonly<Record<string, string | EntryFiles>>;

export interface EntryFiles {
  readonly types: string;
  readonly default: string;
}

/** Fields of a package.json for what doesn't know `exports`. */
export interface Node10Fields {
  readonly main?: string;
  readonly types?: string;
  readonly typesVersions?: { readonly "*": Readonly<Record<string, readonly string[]>> };
}

/**
 * The fields from which TypeScript finds the types of every entry with `moduleResolution: node10`, which doesn't read
 * `exports`. The first entry also gets `main`, for old bundlers.
 */
export function node10Fields(exports: Exports): Node10Fields {
  const entries = Object.entries(exports).filter(
    (entry): entry is [string, EntryFiles] => typeof entry[1] !== "string",
  );
  const first = entries.find(([path]) => path === ".")?.[1];
  const others = entries.filter(([path]) => path !== ".");
  return {
    ...(first === undefined ? {} : { main: first.default, types: first.types }),
    typesVersions: {
      "*": Object.fromEntries(
        others.map(([path, { types }]) => [path.slice("./".length), [types]]),
      ),
    },
  };
}
