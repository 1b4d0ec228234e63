import { DRAG_PATH } from "../../../core/protocol/panel-calls.ts";
import { fileNameFor } from "../../../core/text/file-name.ts";
import type { ClipListProps } from "../../kit/clip-list/clip-row.ts";
import type { PanelStore } from "../panel-store.ts";
import { clipKeyOf } from "./package-audio.ts";
import { type PickRow, usableOf } from "./pick-row.ts";

/** Returns how the package's sounds are dragged out of the panel as files (rule N26); empty where they can't be. */
export function soundDragOf(store: PanelStore, row: PickRow): Pick<ClipListProps, "onDrag"> {
  const usable = usableOf(row);
  // Only Chromium's browsers take `DownloadURL`, and only they have this.
  const canDrag = "userAgentData" in navigator && !store.isDialog && store.calls.offersDrags;
  if (!canDrag || usable === null || usable.status === "expired") return {};
  const { packageId, sounds } = usable;
  return {
    onDrag: (key) => {
      const sound = sounds.find(({ id }) => clipKeyOf(row, id) === key);
      if (sound === undefined) return null;
      // A drag must be filled at once, so the page can't wait for the importer to name an address.
      const token = crypto.randomUUID();
      const address = new URL(DRAG_PATH.replace(":token", token), location.origin);
      const name = fileNameFor(sound.name, ".wav", () => false);
      const params = { package_id: packageId, sound_id: sound.id, token };
      void store.act(row.key, `drag ${token}`, () => store.calls.send("offerDrag", params));
      return `audio/wav:${name}:${address.href}`;
    },
  };
}
