import type { ComponentChildren, JSX } from "preact";
import { formatChange } from "./format.ts";

interface TileProps {
  readonly name: string;
  /** The meaning of the name, as a tooltip. */
  readonly about?: string;
  readonly figure: string;
  /** Shown as the change from the first amount to the second; less is better. */
  readonly change?: readonly [from: number, to: number];
  readonly children: ComponentChildren;
}

export function Tile({ name, about, figure, change, children }: TileProps): JSX.Element {
  return (
    <div class="tile">
      <h2>{about === undefined ? name : <span title={about}>{name}</span>}</h2>
      <p class="figure-line">
        <span class="big">{figure}</span>
        {change && change[0] > 0 && (
          <span class={change[1] > change[0] ? "change worse" : "change"}>{formatChange(...change)}</span>
        )}
      </p>
      <p class="note">{children}</p>
    </div>
  );
}
