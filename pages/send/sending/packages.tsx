import type { VNode } from "preact";
import { PickList } from "../../kit/shell/pick-list.tsx";
import { t } from "../../kit/page-language.ts";
import { usePage } from "../page-context.ts";
import type { PageView } from "../page-view.ts";
import { formatPackageStatus } from "../../../client/send/words/format-status.ts";
import type { SentItem } from "../../../client/send/session/session-view.ts";

/** The key of the package that is not sent yet. */
const NEW = "new";

interface PackagesProps {
  readonly view: PageView;
  readonly onOpen: () => void;
}

/** The new package and the sent ones, oldest first, so that a new row moves none. */
export function Packages({ view, onOpen }: PackagesProps): VNode {
  const { actions } = usePage();
  return (
    <PickList
      label={t("page.packages")}
      items={[newItem(view), ...view.sent.map(sentItem)]}
      picked={view.shown ?? NEW}
      onPick={(key) => actions.show(key === NEW ? null : key)}
      onOpen={onOpen}
      empty={null}
    />
  );
}

function newItem(view: PageView) {
  const title = view.title ?? view.suggestion;
  const count = t("clips.count", { count: view.sounds.length });
  return {
    key: NEW,
    spoken: [t("page.newPackage"), title, count].filter((text) => text !== "").join(", "),
    content: (
      <>
        <span>{t("page.newPackage")}</span>
        <span class="quiet">
          {title !== "" && (
            <>
              <bdi>{title}</bdi>,{" "}
            </>
          )}
          {count}
        </span>
      </>
    ),
  };
}

function sentItem(item: SentItem) {
  const { title, packageId, computerName } = item;
  const { words, tone } = formatPackageStatus(t, item);
  return {
    key: packageId,
    spoken: [title, computerName, words].join(", "),
    content: (
      <>
        <bdi>{title}</bdi>
        <span class={`tone ${tone}`}>{words}</span>
      </>
    ),
  };
}
