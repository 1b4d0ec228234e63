/** One thing that the strict schema has against a value. */
export interface SchemaError {
  /** JSON Pointer of the value. */
  readonly instancePath: string;
  /** The schema's keyword that it fails, such as `maximum`. */
  readonly keyword: string;
  readonly params: { readonly additionalProperty?: string };
}

/** Whether a value passes the strict schema; where not, `errors` has everything against it. */
export const validateManifest: {
  (value: unknown): boolean;
  readonly errors?: readonly SchemaError[] | null;
};
