import type { VNode } from "preact";
import { useId } from "preact/hooks";
import { usePage } from "../page-context.ts";
import type { PageSound } from "./page-sound.ts";

/** What the field shows while no colour is chosen. */
const NONE = "#808080";

/** The colour of track and clip. Sounds without one share the package's colour. */
export function ColorInput({ sound }: { readonly sound: PageSound }): VNode {
  const { sounds } = usePage();
  const { key, name, color } = sound;
  const fieldId = useId();
  return (
    <div class="labelled">
      <label for={fieldId}>
        Colour<span class="unseen"> of {name}</span>
      </label>
      <span class="colour">
        <input
          id={fieldId}
          type="color"
          value={color ?? NONE}
          onInput={(event) =>
            sounds.choose(key, { color: event.currentTarget.value.toUpperCase() })
          }
        />
        {color === null ? (
          <span class="quiet">shared</span>
        ) : (
          <button
            type="button"
            class="plain"
            aria-label={`Use shared colour for ${name}`}
            onClick={() => {
              sounds.choose(key, { color: null });
              document.getElementById(fieldId)?.focus();
            }}
          >
            Use shared
          </button>
        )}
      </span>
    </div>
  );
}
