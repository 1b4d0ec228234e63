import type { FastifyReply, FastifyRequest } from "fastify";
import type { Timers } from "../../core/timers.ts";
import type { Caller } from "../domain/caller.ts";
import type { Context } from "../domain/context.ts";
import { callerOf } from "./auth/callers.ts";
import type { Call } from "./call.ts";
import type { ServerOptions } from "./build-server.ts";

const NO_PAGES = { hasClient: false, hasViewer: false };
const PAGES = {
  plain: { hasClient: true, hasViewer: false },
  viewer: { hasClient: true, hasViewer: true },
};

/** A call on its way to its handler. A class: an object with a getter of its own for each call costs more. */
export class HandledCall implements Call {
  readonly context: Context;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly idleMs: number;
  readonly timers: Timers;
  readonly pages: Call["pages"];
  readonly stopping: AbortSignal;

  constructor(
    { context, idleMs, draining, pages }: ServerOptions,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    this.context = context;
    this.idleMs = idleMs;
    this.timers = draining.timers;
    this.pages = pages === undefined ? NO_PAGES : PAGES[pages.docsViewer ? "viewer" : "plain"];
    this.stopping = draining.holdEnds;
    this.request = request;
    this.reply = reply;
  }

  /** Worked out only for those who ask: that takes time. */
  get caller(): Caller {
    return callerOf(this.request);
  }
}
