import type { ComponentChildren, VNode } from "preact";

// Drawings of what a person sees in each step. The text beside them says the same.

/** Shows a script that goes into the folder of the User Library. */
export function InstallDrawing(): VNode {
  return (
    <Drawing>
      <path class="paper" d="M18 30h26l10 10v40H18z" />
      <path class="edge" d="M44 30v10h10M26 52h20M26 60h20M26 68h13" />
      <path class="mark" d="M66 56h34M90 47l11 9-11 9" />
      <path class="paper" d="M114 34h24l7 8h41v40h-72z" />
      <text x="150" y="66" text-anchor="middle">
        User Library
      </text>
    </Drawing>
  );
}

/** Shows Live's window with a circling arrow. */
export function RestartDrawing(): VNode {
  return (
    <Drawing>
      <rect class="paper" x="48" y="14" width="112" height="80" rx="4" />
      <rect class="top-bar" x="48" y="14" width="112" height="14" rx="4" />
      <text x="104" y="25" text-anchor="middle">
        Live
      </text>
      <path class="mark" d="M122 50a20 20 0 1 0 2 15M124 40v12h-12" />
    </Drawing>
  );
}

/** Shows Live's settings with the right choices. */
export function SettingsDrawing(): VNode {
  return (
    <Drawing>
      <rect class="paper" x="4" y="4" width="200" height="100" rx="4" />
      <path class="edge" d="M72 4v100" />
      <text x="10" y="20">
        Audio
      </text>
      <rect class="chosen" x="5" y="28" width="66" height="26" />
      <text class="on-chosen" x="10" y="39">
        Link, Tempo
      </text>
      <text class="on-chosen" x="10" y="50">
        &amp; MIDI
      </text>
      <text x="10" y="70">
        Library
      </text>
      <text x="10" y="90">
        Plug-Ins
      </text>
      {["Control Surface", "Input", "Output"].map((name, row) => (
        <text key={name} x="78" y={18 + row * 31}>
          {name}
        </text>
      ))}
      {["Soundferry", "None", "None"].map((choice, row) => (
        <g key={row}>
          <rect
            class={row === 0 ? "slot asked" : "slot"}
            x="78"
            y={22 + row * 31}
            width="118"
            height="14"
            rx="2"
          />
          <text x="83" y={32.5 + row * 31}>
            {choice}
          </text>
          <path class="edge" d={`M184 ${27 + row * 31}l4 4 4-4`} />
        </g>
      ))}
    </Drawing>
  );
}

function Drawing({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <svg class="drawing" viewBox="0 0 208 108" aria-hidden="true">
      {children}
    </svg>
  );
}
