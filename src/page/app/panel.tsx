import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";

interface PanelProps {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Panel({ title, note, children }: PanelProps): JSX.Element {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {note !== undefined && <p class="note">{note}</p>}
      {children}
    </section>
  );
}
