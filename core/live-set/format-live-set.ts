import { formatXmlTree, LIVE_SET_STYLE } from "../text/xml.ts";
import { makeLiveSet } from "./make-live-set.ts";
import type { SetPlan } from "./set-plan.ts";
import { ownShape, type SetShape } from "./set-shape.ts";

/**
 * Formats a Set as XML, which Live keeps compressed with gzip (rule LS1). The same plan gives the same text.
 * @throws {MemberMissingError} if the shape lacks a member that has to be set
 */
export function formatLiveSet(plan: SetPlan, shape: SetShape = ownShape()): string {
  return formatXmlTree(makeLiveSet(plan, shape), LIVE_SET_STYLE);
}
