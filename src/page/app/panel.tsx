import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";

interface PanelProps {
  readonly title: string;
  readonly note?: ComponentChildren;
  /** May it extend over several pages when printed? */
  readonly isLong?: boolean;
  readonly children: ComponentChildren;
}

export function Panel({ title, note, isLong = false, children }: PanelProps): JSX.Element {
  const id = useId();
  return (
    <section class={isLong ? "panel long" : "panel"} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {note !== undefined && <p class="note">{note}</p>}
      {children}
    </section>
  );
}
