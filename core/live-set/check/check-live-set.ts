import { descend } from "../set-element.ts";
import { LIVE_SET } from "../schema/live-set.ts";
import type { XmlDocument } from "../xml-tree.ts";
import { FindingList } from "./finding-list.ts";
import { judgeClips } from "./judge-clips.ts";
import { judgeFiles, type SetFiles } from "./judge-files.ts";
import { judgeHeader, type SetSchema } from "./judge-header.ts";
import { judgeIds } from "./judge-ids.ts";
import { judgeMembers } from "./judge-members.ts";
import { judgeRoutings } from "./judge-routings.ts";
import { judgeTracks } from "./judge-tracks.ts";

/** All that was found in one Set. */
export interface SetJudgment {
  readonly schema: SetSchema;
  readonly list: FindingList;
}

/**
 * Judges a Set (rules LS20 to LS33). Its members are judged only if the table describes its schema; everything else
 * is judged in each.
 * @param files what lies on disk; without it, files aren't judged
 */
export function checkLiveSet(
  document: XmlDocument,
  files?: SetFiles,
  list = new FindingList(),
): SetJudgment {
  const { root } = document;
  const schema = judgeHeader(document, list);
  const set = descend(root, "LiveSet");
  if (set !== undefined && schema.isTables) judgeMembers(set, LIVE_SET, list);
  judgeIds(root, list);
  // Live 10 and older have scenes and colors of another form.
  if (schema.major >= 11) judgeTracks(root, schema, list);
  judgeRoutings(root, list);
  judgeClips(root, schema, list);
  judgeFiles(root, files, list);
  return { schema, list };
}
