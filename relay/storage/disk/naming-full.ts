import { StoreFullError } from "../../domain/ports.ts";
import { codeOf } from "./sound-files.ts";

/** @throws {StoreFullError} in place of the system's error if the disk or the user's share of it is full */
export async function namingFull<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (["ENOSPC", "EDQUOT"].includes(codeOf(error))) {
      throw new StoreFullError("The disk of the sound store is full.", { cause: error });
    }
    throw error;
  }
}
