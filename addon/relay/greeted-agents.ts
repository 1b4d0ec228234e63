import type { Agent } from "node:http";
import * as https from "node:https";
import type { Duplex } from "node:stream";
import { nodeHttp } from "../../program/node-http.ts";

export interface GreetedAgentsOptions {
  readonly isSecure: boolean;
  /**
   * Asks over a connection, without a token, which relay answers. Resolves with its instance (undefined where it names
   * none) when the connection is ready for another request, or ended.
   */
  readonly greet: (socket: Duplex) => Promise<string | undefined>;
  /** Builds the error of a connection that leads to another relay. */
  readonly otherRelay: () => Error;
}

/**
 * HTTP agents whose connections lead to one instance each: every connection is greeted before a request gets it (rule
 * P9). A relay can be replaced while earlier connections are open, so what one of them led to says nothing about the
 * next.
 */
export class GreetedAgents {
  readonly #options: GreetedAgentsOptions;
  readonly #agents = new Map<string | undefined, Agent>();
  /** Connections that no agent has yet. */
  readonly #greeted = new Set<Duplex>();

  constructor(options: GreetedAgentsOptions) {
    this.#options = options;
  }

  /** Returns the agent for an instance, or for relays that name none. */
  to(instance: string | undefined): Agent {
    const known = this.#agents.get(instance);
    if (known !== undefined) return known;
    const agent = makeAgent(this.#options.isSecure);
    const connect = agent.createConnection.bind(agent);
    agent.createConnection = (options, done) => {
      const open = () => connect(options) ?? undefined;
      void this.#open(open, instance, done ?? (() => {}));
      return undefined;
    };
    this.#agents.set(instance, agent);
    return agent;
  }

  /** Closes every connection. */
  destroy(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    for (const socket of this.#greeted) socket.destroy();
  }

  async #open(
    connect: () => Duplex | undefined,
    instance: string | undefined,
    done: (error: Error | null, socket: Duplex) => void,
  ): Promise<void> {
    const socket = connect();
    if (socket === undefined) return;
    // A close follows each error, and the request reports it. Between two requests nobody else listens.
    socket.on("error", () => {});
    this.#greeted.add(socket);
    const error = await this.#troubleWith(socket, instance);
    this.#greeted.delete(socket);
    if (error !== null) return done(error, socket.destroy());
    // A server that ends each connection after its answer gets the request on the next one.
    done(null, socket.writable ? socket : (connect() ?? socket));
  }

  async #troubleWith(socket: Duplex, instance: string | undefined): Promise<Error | null> {
    try {
      const answered = await this.#options.greet(socket);
      return answered === instance ? null : this.#options.otherRelay();
    } catch (error) {
      return error instanceof Error ? error : new Error("No greeting.", { cause: error });
    }
  }
}

export function makeAgent(isSecure: boolean): Agent {
  return isSecure ? new https.Agent({ keepAlive: true }) : new nodeHttp.Agent({ keepAlive: true });
}
