import type { ComponentChildren, VNode } from 'preact';

/** The message next to a field. The field refers to it by `id`. */
export const FieldError = ({ id, children }: { id: string; children: ComponentChildren }): VNode => (
  <p class="field-error" id={id}>
    {children}
  </p>
);

/** The attributes of a control that has the error with the id `errorId`, or no error. The first one gets the focus. */
export const errorAttributes = (errorId: string | undefined, isFirst = true) => ({
  'aria-describedby': errorId,
  'aria-invalid': errorId === undefined ? undefined : ('true' as const),
  autofocus: errorId !== undefined && isFirst,
});
