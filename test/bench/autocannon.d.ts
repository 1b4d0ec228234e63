/** The part of autocannon that the bench uses; the package has no types. */
declare module "autocannon" {
  export interface Options {
    readonly url: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly connections: number;
    /** Seconds. */
    readonly duration?: number;
    /** Number of requests, in place of a duration. */
    readonly amount?: number;
    /** Milliseconds between two looks whether it is done. */
    readonly sampleInt?: number;
    /** Every connection makes these in turn. */
    readonly requests?: readonly {
      readonly method: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }[];
  }
  export interface Outcome {
    readonly requests: { readonly total: number };
    readonly duration: number;
    readonly errors: number;
    readonly non2xx: number;
  }
  export default function autocannon(options: Options): Promise<Outcome>;
}
