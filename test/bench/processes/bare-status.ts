import Fastify from "fastify";
import { answerCalls } from "./answer-calls.ts";

/** A bare Fastify route: no token, no limit, no log, no database; it returns a fixed answer. */
export const bareStatusCalls = {
  start: async ({ body }: { readonly body: object }) => {
    const app = Fastify();
    app.get("/packages/:id/status", async () => body);
    return { url: await app.listen({ host: "127.0.0.1", port: 0 }) };
  },
};
export type BareStatusCalls = typeof bareStatusCalls;

answerCalls(bareStatusCalls);
