import { describe, expect, test } from "vitest";
import {
  type HeldTurn,
  type PartialFile,
  type PartialTurns,
  TurnLostError,
  type TurnOptions,
} from "../../../../relay/domain/ports.ts";
import { Partials } from "../../../../relay/domain/uploads/partials.ts";
import { HOUR } from "../../../contracts/relay/records/sample-records.ts";
import { openUpload } from "./open-upload.ts";

describe("among processes", () => {
  const FILE = { packageId: "pkg_1", file: "kick.wav" };

  /** Turns of a store whose next call gets `held`, and what was asked of it. */
  function turnsWith(held: HeldTurn | undefined) {
    const asked: TurnOptions[] = [];
    const ended: PartialFile[] = [];
    const turns: PartialTurns = {
      take: async (file, options) => {
        expect(file).toEqual(FILE);
        asked.push(options);
        return held;
      },
      end: async (file) => void ended.push(file),
    };
    return { turns, asked, ended };
  }

  function heldTurn() {
    const disposed: string[] = [];
    const held: HeldTurn = {
      turn: { ...FILE, number: 1 },
      confirm: async () => {},
      [Symbol.asyncDispose]: async () => void disposed.push("given back"),
    };
    return { held, disposed };
  }

  test("[SC10] a call acts in its turn, and gives it back", async () => {
    const { held, disposed } = heldTurn();
    const { turns, ended } = turnsWith(held);
    const partials = new Partials();
    const act = async (replaced: AbortSignal, turn?: HeldTurn) => {
      expect([turn, replaced.aborted, disposed]).toEqual([held, false, []]);
      return "done";
    };
    expect(await partials.run(FILE, act, turns)).toBe("done");
    expect(disposed).toEqual(["given back"]);
    await partials.end(FILE, turns);
    expect(ended).toEqual([FILE]);
  });

  test("[U10] a whole file ends the call that continues it, and asks no store where no part was stored", async () => {
    await using one = await openUpload();
    const { context, clock } = one.cases;
    const { turns, ended } = turnsWith(undefined);
    Object.assign(context.soundKeys, { turns });
    await one.put();
    expect(ended).toEqual([]);
    const part = `${one.packageId}/snd_part`;
    await context.soundKeys.addPending(part, clock.now() + HOUR);
    await context.soundKeys.beginPartial({ key: part, file: "kick.wav" });
    await one.put();
    expect(ended).toMatchObject([{ packageId: one.packageId, file: "kick.wav" }]);
  });

  test("[SC10] a call that gets no turn, or loses it, is replaced", async () => {
    const replaced = { code: "UPLOAD_REPLACED", message: expect.stringContaining("kick.wav") };
    const never = async () => expect.unreachable();
    const none = new Partials().run(FILE, never, turnsWith(undefined).turns);
    await expect(none).rejects.toMatchObject(replaced);
    const { held, disposed } = heldTurn();
    const losing = async () => {
      throw new TurnLostError("Another call has it.");
    };
    const lost = new Partials().run(FILE, losing, turnsWith(held).turns);
    await expect(lost).rejects.toMatchObject(replaced);
    expect(disposed).toEqual(["given back"]);
    const failing = async () => {
      throw new Error("The disk is gone.");
    };
    await expect(new Partials().run(FILE, failing, turnsWith(held).turns)).rejects.toThrow("disk");
  });

  test.each([
    ["replaced", { code: "UPLOAD_REPLACED" }],
    ["lapsed", { name: "StoreBusyError", message: expect.stringContaining("pkg_1/kick.wav") }],
  ] as const)("[SC10] a call whose turn is %s hears why", async (why, reason) => {
    const { turns, asked } = turnsWith(heldTurn().held);
    const act = async (signal: AbortSignal) => {
      asked[0]?.onEnd(why);
      return signal.reason;
    };
    expect(await new Partials().run(FILE, act, turns)).toMatchObject(reason);
    expect(asked[0]?.givenUp.aborted).toBe(true);
  });

  test("[SC10] a call that was replaced while it waited doesn't begin", async () => {
    const { turns } = turnsWith(heldTurn().held);
    const take = turns.take.bind(turns);
    const ending: PartialTurns = {
      ...turns,
      take: (file, options) => {
        options.onEnd("replaced");
        return take(file, options);
      },
    };
    const never = async () => expect.unreachable();
    await expect(new Partials().run(FILE, never, ending)).rejects.toMatchObject({
      code: "UPLOAD_REPLACED",
    });
  });
});
