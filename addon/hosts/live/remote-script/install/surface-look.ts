/** What the importer finds of the script inside Live: nothing, a file that Live left behind, or an answer. */
export type SurfaceLook =
  | { readonly kind: "absent" }
  | { readonly kind: "stale" }
  | {
      readonly kind: "answers";
      /** The script's. */
      readonly version: string;
      /** Live's version, such as `12.1.5`. */
      readonly live: string;
      /** Such as `Standard`. */
      readonly edition: string;
    };

/** Looks for the script by the file that it writes into one of these folders. Takes under a second. */
export type LookAtControlSurface = (folders: readonly string[]) => Promise<SurfaceLook>;
