import type { FastifyInstance } from "fastify";

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);

/** A path that the relay serves. `pattern` is how its routes write it, `methods` what they take. */
interface ServedPath {
  readonly pattern: string;
  readonly methods: ReadonlySet<string>;
  readonly isFitting: (path: string) => boolean;
}

/**
 * All paths of a server, for calls with a method that a path doesn't take (rule E1). Routes for those methods would be
 * two thirds of all.
 */
export class PathTable {
  readonly #paths = new Map<string, ServedPath & { readonly methods: Set<string> }>();

  /** Adds the routes that the server gets from now on. */
  watch(app: FastifyInstance, maxParamLength: number): void {
    app.addHook("onRoute", ({ url, method }) => {
      const served = this.#paths.get(url) ?? {
        pattern: url,
        methods: new Set<string>(),
        isFitting: fitting(url, maxParamLength),
      };
      for (const one of [method].flat()) served.methods.add(one);
      this.#paths.set(url, served);
    });
  }

  /** The path of a call that no route takes, unless the relay serves nothing there or the method is none of HTTP's. */
  find({ method, url }: { readonly method: string; readonly url: string }): ServedPath | undefined {
    if (!METHODS.has(method)) return undefined;
    const path = decodedPath(url);
    return (
      this.#paths.get(path) ?? [...this.#paths.values()].find(({ isFitting }) => isFitting(path))
    );
  }
}

function fitting(pattern: string, maxParamLength: number): ServedPath["isFitting"] {
  const source = pattern
    .replaceAll(".", String.raw`\.`)
    .replaceAll(/:\w+/g, `[^/]{0,${maxParamLength}}`)
    .replace(/\*$/, ".*");
  const regex = new RegExp(`^${source}$`, "s");
  return (path) => regex.test(path);
}

/** As the router reads it, which ends a path at a `#` too and takes a whole address. */
function decodedPath(url: string): string {
  const [path] = url.replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/, 1);
  return decodeURI(path || "/");
}
