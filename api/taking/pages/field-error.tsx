import type { ComponentChildren, VNode } from 'preact';

/** The message next to a field. The field refers to it by `id`. */
export const FieldError = ({ id, children }: { id: string; children: ComponentChildren }): VNode => (
  <p class="error" id={id}>
    {children}
  </p>
);
