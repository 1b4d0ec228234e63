import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, isSuccess } from "./answer.ts";
import { partOf } from "./assert.ts";
import { AssertionFailure, Inconclusive, LeftOut, NoRelay } from "./assertion-failure.ts";
import { CALLS, type RelayCall } from "./relay-calls.ts";
import { Session, type SessionOptions, textOf } from "./session.ts";
import { Wire } from "./wire.ts";

/** A claim that takes longer may wait for a yes on the computer. */
const PROMPT_LOOK_MS = 400;
/** The name of the app that a given code pairs. */
export const GIVEN_APP_NAME = "Conformance first";
/** The time of an answer in the clean-up, where nothing has to wait for anything. */
const CLEAN_UP_MS = 15_000;

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
  /** @throws {Inconclusive} if the answer to its claim has none; the check of the claim judges that */
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
    this.secrets.add(options.registrationKey);
    for (const secret of Object.values(options.given ?? {})) this.secrets.add(secret);
  }

  /** True if checks can register computers; otherwise there is only the app that the run was given. */
  get hasImporter(): boolean {
    return this.#options.given === undefined;
  }

  /** True if only this run has used its apps; otherwise what their limits have left is unknown. */
  get hasNewApps(): boolean {
    return this.#options.given === undefined || "code" in this.#options.given;
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
    this.secrets.add(partOf(body, "code"));
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
    return {
      appId,
      device,
      claimed,
      get token() {
        return textOf(claimed, "app_token");
      },
    };
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
      return "token" in given
        ? givenApp("the given app", () => given.token)
        : this.#claimGiven(given.code);
    });
  }

  /** The code that the run's app was paired with. @throws {LeftOut} if the run wasn't given one */
  async givenCode(): Promise<GivenCode> {
    await this.app();
    if (this.#givenCode === undefined) throw new LeftOut(NEEDS_CODE);
    return this.#givenCode;
  }

  /** Unpairs apps and removes computers; ignores what is already gone. Never rejects, and ends the session. */
  async cleanUp(): Promise<void> {
    this.wire[Symbol.dispose]();
    await this.quietly(this.#apps.map((token) => [CALLS.unpair(), token]));
    await this.quietly(this.#devices.map((token) => [CALLS.remove(), token]));
  }

  /** Sends calls of the clean-up, whatever becomes of them. The run's own patience may be at its end. */
  protected async quietly(
    calls: readonly (readonly [call: RelayCall, token: string])[],
  ): Promise<void> {
    const { wire: own, contract } = this;
    const answerMs = Math.min(own.answerMs, CLEAN_UP_MS);
    using wire = new Wire(own.baseUrl, { contract, answerMs });
    await Promise.all(
      calls.map(([{ method, path }, token]) => wire.call(method, path, { token }).catch(() => {})),
    );
  }

  /** Claims the code with a space in its middle, and without one only if that is refused: a code works once. */
  async #claimGiven(given: string): Promise<TestApp> {
    const appId = `conformance-${randomUUID()}`;
    const code = given.replaceAll(/[\s-]/g, "");
    this.secrets.add(code);
    const claim = (spelling: string) =>
      this.claim({ code: spelling, app_name: GIVEN_APP_NAME, app_id: appId });
    const middle = Math.ceil(code.length / 2);
    const spaced = await claim(`${code.slice(0, middle)} ${code.slice(middle)}`);
    const claimed = isSuccess(spaced.status) ? spaced : await claim(code);
    this.#givenCode = { code, spaced };
    if (claimed.status === 404) {
      throw new NoRelay("The relay doesn't accept this pairing code. Ask Live for a new one.");
    }
    // A success without a token is judged by the check of the claim.
    if (claimed.status >= 300) textOf(claimed, "app_token");
    return givenApp(appId, () => textOf(claimed, "app_token"), claimed);
  }

  /** Says yes to the prompts of a computer until its claim is answered (rule P12). */
  async #allowUntil(claiming: Promise<unknown>, { token }: TestDevice): Promise<void> {
    const path = "/importer/pairing-request";
    const over = new AbortController();
    const answered = claiming.catch(() => {}).then(() => over.abort());
    const { signal } = over;
    for (;;) {
      await Promise.race([answered, sleep(PROMPT_LOOK_MS, undefined, { signal }).catch(() => {})]);
      // A claim that still runs when the run is stopped creates an app to remove.
      if (signal.aborted || this.signal.aborted) return;
      try {
        const asked = await this.wire.call("GET", path, { token });
        const id = partOf(asked.json, "request", "request_id");
        if (typeof id !== "string") continue;
        const body = { request_id: id, answer: "allow" };
        await this.wire.call("POST", path, { token, body });
      } catch (error) {
        // The claim's own answer decides.
        if (error instanceof Inconclusive || error instanceof AssertionFailure) continue;
        throw error;
      }
    }
  }
}

const NEEDS_CODE = "It needs --code; with --token nothing is claimed.";

function needsImporter(): LeftOut {
  return new LeftOut("It needs an importer's API, which the public specification leaves open.");
}

/** An app without a computer; one whose token was given also has no answer to a claim. */
function givenApp(appId: string, tokenOf: () => string, claimed?: Answer): TestApp {
  return {
    appId,
    get token() {
      return tokenOf();
    },
    get device(): TestDevice {
      throw needsImporter();
    },
    get claimed(): Answer {
      if (claimed === undefined) throw new LeftOut(NEEDS_CODE);
      return claimed;
    },
  };
}
