/** One thing that the strict schema has against a value. */
export interface SchemaError {
  /** JSON Pointer of the value. */
  readonly instancePath: string;
  /** The schema's keyword that it fails, such as `maximum`. */
  readonly keyword: string;
  readonly params: { readonly additionalProperty?: string };
}

/** Checks a value against the strict schema; afterwards `errors` has every fault. */
export const validateManifest: {
  (value: unknown): boolean;
  readonly errors?: readonly SchemaError[] | null;
};
