import { randomUUID } from "node:crypto";
import type { Answer } from "./answer.ts";
import { partOf } from "./assert.ts";
import { LeftOut, NoRelay } from "./assertion-failure.ts";
import { CALLS, type RelayCall } from "./relay-calls.ts";
import { Session, type SessionOptions, textOf } from "./session.ts";

/** A claim that takes longer may wait for a yes on the computer. */
const PROMPT_LOOK_MS = 400;

export interface PairingOptions extends SessionOptions {
  readonly registrationKey?: string | undefined;
  /** The token of an app, or a code to claim one with: the run has no other app and no computer. */
  readonly given?: { readonly token: string } | { readonly code: string } | undefined;
}

/** A computer that the kit registered. */
export interface TestDevice {
  readonly token: string;
  /** The answer to the registration. */
  readonly registered: Answer;
}

/** An app that the kit paired, or whose token it was given. */
export interface TestApp {
  readonly token: string;
  readonly appId: string;
  /** @throws {LeftOut} in a run that was given its app */
  readonly device: TestDevice;
  /** The answer to its claim. @throws {LeftOut} in a run that was given a token */
  readonly claimed: Answer;
}

/** The code that a run was given, and what became of it. */
export interface GivenCode {
  readonly code: string;
  /** The answer to the claim with a space in the code's middle, which comes first. */
  readonly spaced: Answer;
}

/**
 * The computers and apps of one run. Pairing is scarce (10 tries a minute), so all checks share apps, paired on first use.
 */
export class Pairing extends Session {
  readonly #options: PairingOptions;
  readonly #devices: string[] = [];
  readonly #apps: string[] = [];
  #givenCode: GivenCode | undefined;

  constructor(relayUrl: string, options: PairingOptions) {
    super(relayUrl, options);
    this.#options = options;
  }

  /** True if checks can register computers; otherwise there is only the app that the run was given. */
  get hasImporter(): boolean {
    return this.#options.given === undefined;
  }

  /** The registered computer of this name. @throws {LeftOut} in a run that was given its app */
  async device(name = "Conformance kit"): Promise<TestDevice> {
    return this.share(`device ${name}`, async () => {
      const registered = await this.register({ device_name: name });
      return { token: textOf(registered, "importer_token"), registered };
    });
  }

  /** Registers a computer; `cleanUp` removes it. @throws {LeftOut} in a run that was given its app */
  async register(body: object): Promise<Answer> {
    if (!this.hasImporter) throw needsImporter();
    const answer = await this.send(CALLS.register(body, this.#options.registrationKey));
    const token = partOf(answer.json, "importer_token");
    if (typeof token === "string") this.#devices.push(token);
    return answer;
  }

  /** Gets a new pairing code. */
  async code({ token }: TestDevice): Promise<string> {
    return textOf(await this.send(CALLS.newCode(), token), "code");
  }

  /**
   * Claims a code; `cleanUp` revokes the token.
   * @param device the computer whose importer says yes if the relay asks it
   */
  async claim(body: object | string, device?: TestDevice, headers = {}): Promise<Answer> {
    const claiming = this.send({ ...CALLS.claim(body), headers });
    if (device !== undefined) await this.#allowUntil(claiming, device);
    const answer = await claiming;
    const token = partOf(answer.json, "app_token");
    if (typeof token === "string") this.#apps.push(token);
    return answer;
  }

  /**
   * Pairs a new app with a computer, with a second code if the first expired while waiting out a limit.
   * Two concurrent calls for one computer would replace each other's code.
   */
  async pair(device: TestDevice, appName: string): Promise<TestApp> {
    const appId = `conformance-${randomUUID()}`;
    const claim = async () => {
      const body = { code: await this.code(device), app_name: appName, app_id: appId };
      return this.claim(body, device);
    };
    const first = await claim();
    const claimed = first.status === 404 ? await claim() : first;
    return { token: textOf(claimed, "app_token"), appId, device, claimed };
  }

  /** The app of this name, paired with the shared computer. A run that was given its app has only the first. */
  app(name: "first" | "second" | `more ${number}` = "first"): Promise<TestApp> {
    return this.share(`app ${name}`, async () => {
      const { given } = this.#options;
      if (given === undefined) {
        return this.inTurn("pairing", async () =>
          this.pair(await this.device(), `Conformance ${name}`),
        );
      }
      if (name !== "first") throw new LeftOut("It needs a second app.");
      return "token" in given ? givenApp(given.token) : this.#claimGiven(given.code);
    });
  }

  /** The code that the run's app was paired with. @throws {LeftOut} if the run wasn't given one */
  async givenCode(): Promise<GivenCode> {
    await this.app();
    if (this.#givenCode === undefined) throw new LeftOut(NEEDS_CODE);
    return this.#givenCode;
  }

  /** Unpairs apps and removes computers; ignores what is already gone. */
  async cleanUp(): Promise<void> {
    await Promise.all(this.#apps.map((token) => this.quietly(CALLS.unpair(), token)));
    await Promise.all(this.#devices.map((token) => this.quietly(CALLS.remove(), token)));
    this.wire[Symbol.dispose]();
  }

  /** Sends a call of the clean-up, whatever becomes of it. */
  protected async quietly({ method, path }: RelayCall, token: string): Promise<void> {
    await this.wire.call(method, path, { token }).catch(() => {});
  }

  /** Claims the code with a space in its middle, and without one only if that is refused: a code works once. */
  async #claimGiven(given: string): Promise<TestApp> {
    const appId = `conformance-${randomUUID()}`;
    const code = given.replaceAll(/[\s-]/g, "");
    const claim = (spelling: string) =>
      this.claim({ code: spelling, app_name: "Conformance first", app_id: appId });
    const middle = Math.ceil(code.length / 2);
    const spaced = await claim(`${code.slice(0, middle)} ${code.slice(middle)}`);
    const isPaired = spaced.status >= 200 && spaced.status < 300;
    const claimed = isPaired ? spaced : await claim(code);
    this.#givenCode = { code, spaced };
    if (claimed.status === 404) {
      throw new NoRelay("The relay doesn't accept this pairing code. Ask Live for a new one.");
    }
    return givenApp(textOf(claimed, "app_token"), { appId, claimed });
  }

  /** Says yes to the prompts of a computer until its claim is answered (rule P12). */
  async #allowUntil(claiming: Promise<unknown>, { token }: TestDevice): Promise<void> {
    let isAnswered = false;
    const answered = claiming.catch(() => {}).then(() => (isAnswered = true));
    for (;;) {
      await Promise.race([answered, this.pause(PROMPT_LOOK_MS)]);
      if (isAnswered) return;
      const asked = await this.wire.call("GET", "/importer/pairing-request", { token });
      const id = partOf(asked.json, "request", "request_id");
      if (typeof id !== "string") continue;
      const body = { request_id: id, answer: "allow" };
      await this.wire.call("POST", "/importer/pairing-request", { token, body });
    }
  }
}

const NEEDS_CODE = "It needs --code; with --token nothing is claimed.";

function needsImporter(): LeftOut {
  return new LeftOut("It needs an importer's API, which the public specification leaves open.");
}

/** An app without a computer; one whose token was given also has no answer to a claim. */
function givenApp(token: string, own?: Pick<TestApp, "appId" | "claimed">): TestApp {
  return {
    token,
    appId: own?.appId ?? "the given app",
    get device(): TestDevice {
      throw needsImporter();
    },
    get claimed(): Answer {
      if (own === undefined) throw new LeftOut(NEEDS_CODE);
      return own.claimed;
    },
  };
}
