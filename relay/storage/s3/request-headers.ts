import { createHash } from "node:crypto";

/** A command's steps, as far as they are used here. */
interface Stack {
  add(
    middleware: (next: (args: Step) => Promise<never>) => (args: Step) => Promise<never>,
    options: { readonly step: "build"; readonly priority: "low"; readonly name: string },
  ): void;
}

interface Step {
  readonly request: unknown;
}

interface Request {
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

/** Signs the body's SHA-256, so that the service refuses any other body. */
export function signingBody<Command extends { readonly middlewareStack: unknown }>(
  command: Command,
  sha256: string,
): Command {
  return editing(command, "signBody", ({ headers }) => {
    headers["x-amz-content-sha256"] = sha256;
  });
}

/** Some services want this checksum and no newer one. */
export function withMd5<Command extends { readonly middlewareStack: unknown }>(
  command: Command,
): Command {
  return editing(command, "addMd5", ({ headers, body }) => {
    if (typeof body !== "string" && !(body instanceof Uint8Array)) return;
    for (const name of Object.keys(headers)) {
      if (/^x-amz-(sdk-)?checksum/i.test(name)) delete headers[name];
    }
    headers["content-md5"] = createHash("md5").update(body).digest("base64");
  });
}

function editing<Command extends { readonly middlewareStack: unknown }>(
  command: Command,
  name: string,
  edit: (request: Request) => void,
): Command {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SDK's type of it depends on the command
  const stack = command.middlewareStack as Stack;
  stack.add(
    (next) => async (step) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- after this step it is an HTTP request
      edit(step.request as Request);
      return next(step);
    },
    { step: "build", priority: "low", name },
  );
  return command;
}
