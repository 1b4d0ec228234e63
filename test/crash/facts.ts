/** The states a package may have after a kill: one if a call was answered, two if it was not. */
export type PackageState = "uploading" | "waiting" | "imported" | "gone";

/** What a sound's bytes are made of again, whenever they are compared. */
export interface SoundShape {
  readonly frames: number;
  readonly fill: number;
}

/**
 * A line of the ledger. What was only asked is possible from then on; what was answered is a fact. `who` names a
 * computer with its app, `key` one of its packages by its idempotency key.
 */
export type Fact = { readonly who: string } & (
  | { readonly kind: "registered"; readonly importer: string }
  | { readonly kind: "paired"; readonly app: string }
  | { readonly kind: "unpairing" | "unpaired" | "erasing" | "erased" }
  | {
      readonly kind: "packed";
      readonly key: string;
      readonly files: Readonly<Record<string, SoundShape>>;
    }
  | { readonly kind: "announced"; readonly key: string; readonly id: string }
  | { readonly kind: "uploaded"; readonly key: string; readonly file: string }
  | { readonly kind: "asking" | "is"; readonly key: string; readonly state: PackageState }
  | { readonly kind: "taken"; readonly key: string }
);

const ASKED: ReadonlySet<Fact["kind"]> = new Set(["unpairing", "erasing", "packed", "asking"]);

/** Whether a relay answered it. */
export function isAcknowledged({ kind }: Fact): boolean {
  return !ASKED.has(kind);
}

export interface PackageFacts {
  readonly key: string;
  readonly files: Readonly<Record<string, SoundShape>>;
  /** undefined while the announcement is not answered. */
  readonly id: string | undefined;
  readonly uploaded: readonly string[];
  readonly possibleStates: readonly PackageState[];
  readonly isTaken: boolean;
}

/** What is known of one computer and its app. */
export interface MusicianFacts {
  readonly who: string;
  readonly importer: string | undefined;
  readonly app: string | undefined;
  /** undefined if the call that ends it was not answered. */
  readonly isPaired: boolean | undefined;
  /** undefined if the call that erases the computer was not answered. */
  readonly isErased: boolean | undefined;
  readonly packages: readonly PackageFacts[];
}

/** Someone of whom nothing is known yet. */
export function newMusician(who: string): MusicianFacts {
  return {
    who,
    importer: undefined,
    app: undefined,
    isPaired: false,
    isErased: false,
    packages: [],
  };
}

/** Returns what is known after one more line. */
export function foldFact(known: MusicianFacts, fact: Fact): MusicianFacts {
  switch (fact.kind) {
    case "registered":
      return { ...known, importer: fact.importer };
    case "paired":
      return { ...known, app: fact.app, isPaired: true };
    case "unpairing":
      return { ...known, isPaired: undefined };
    case "unpaired":
      return { ...known, isPaired: false };
    case "erasing":
      return { ...known, isErased: undefined };
    case "erased":
      return { ...known, isErased: true, isPaired: false };
    case "packed":
      return { ...known, packages: [...known.packages, newPackage(fact)] };
    case "announced":
    case "uploaded":
    case "asking":
    case "is":
    case "taken":
      return {
        ...known,
        packages: known.packages.map((one) =>
          one.key === fact.key ? foldPackage(one, fact) : one,
        ),
      };
  }
}

function newPackage({ key, files }: Pick<PackageFacts, "key" | "files">): PackageFacts {
  return { key, files, id: undefined, uploaded: [], possibleStates: ["uploading"], isTaken: false };
}

function foldPackage(
  known: PackageFacts,
  fact: Extract<Fact, { kind: "announced" | "uploaded" | "asking" | "is" | "taken" }>,
): PackageFacts {
  switch (fact.kind) {
    case "announced":
      return { ...known, id: fact.id };
    case "uploaded":
      return { ...known, uploaded: [...new Set([...known.uploaded, fact.file])] };
    case "asking":
      return { ...known, possibleStates: [...new Set([...known.possibleStates, fact.state])] };
    case "is":
      return { ...known, possibleStates: [fact.state] };
    case "taken":
      return { ...known, isTaken: true };
  }
}

/** How many sounds the relay stores of someone, once every state is known. */
export function countStored({ isErased, packages }: MusicianFacts): number {
  if (isErased === true) return 0;
  return packages.reduce((sum, { files, uploaded, possibleStates: [state] }) => {
    if (state === "gone") return sum;
    return sum + (state === "uploading" ? uploaded.length : Object.keys(files).length);
  }, 0);
}
