import {
  formatUploadComplete,
  MISMATCHING_OFFSET,
  UPLOAD_HEADERS,
} from "../../../core/protocol/upload-draft.ts";
import { type Refusal, refusal } from "../../../core/protocol/refusal.ts";

/**
 * The refusal of a part that doesn't begin where the file ends so far (rule U10). It says where the next part begins.
 * @param isComplete whether the package has the file
 */
export function offsetDiffers(
  { file, offset }: { readonly file: string; readonly offset: number },
  right: number,
  isComplete: boolean,
): Refusal {
  const body = { type: MISMATCHING_OFFSET, "expected-offset": right, "provided-offset": offset };
  const headers = {
    [UPLOAD_HEADERS.offset]: String(right),
    [UPLOAD_HEADERS.complete]: formatUploadComplete(isComplete),
  };
  return refusal("UPLOAD_OFFSET_DIFFERS", { file, offset: right }, { body, headers });
}
