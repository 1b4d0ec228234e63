import { MISMATCHING_OFFSET } from "../../../core/protocol/upload-draft.ts";
import { Refusal, refusal } from "../../../core/protocol/refusal.ts";

/** The refusal of a part that doesn't begin where the file ends so far (rule U10). */
export class OffsetDiffers extends Refusal {
  /** Where the next part begins. */
  readonly right: number;
  /** Whether the package has the file. */
  readonly isComplete: boolean;

  constructor(
    { file, offset }: { readonly file: string; readonly offset: number },
    right: number,
    isComplete: boolean,
  ) {
    const { code, message } = refusal("UPLOAD_OFFSET_DIFFERS", { file, offset: right });
    const body = { type: MISMATCHING_OFFSET, "expected-offset": right, "provided-offset": offset };
    super(code, message, { body });
    this.right = right;
    this.isComplete = isComplete;
  }
}
