import type { Duplex } from "node:stream";
import {
  type HelloAnswer,
  IMPORTER_APIS,
  IMPORTER_HEADER,
} from "../../core/protocol/importer-api.ts";
import { VERSION } from "../../core/version.ts";
import type { HttpConnection } from "./http-connection.ts";
import { callHello } from "./open-calls.ts";

/** Which version of the importer's API is spoken with a relay: the newest that both know (rule I4). */
export class SpokenApi {
  #version: number = Math.max(...IMPORTER_APIS);

  /** Returns the header that names this importer. */
  readonly headers = (): Record<string, string> => ({
    [IMPORTER_HEADER]: `${VERSION}; api=${this.#version}`,
  });

  /** Like `callHello`; later calls speak the version that the relay knows. */
  async hello(http: HttpConnection, over?: Duplex): Promise<HelloAnswer> {
    const answer = await callHello(http, over);
    const common = answer.importer_api.filter((version) =>
      IMPORTER_APIS.some((own) => own === version),
    );
    this.#version = Math.max(...common);
    return answer;
  }
}
