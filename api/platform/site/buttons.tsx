import type { ComponentChildren, VNode } from 'preact';
import { useVisitor } from './visitor-context';

type Children = { children?: ComponentChildren };
export type FormLayout = 'fields' | 'inline';

type PostFormProps = Children & {
  id?: string | undefined;
  path: string;
  layout?: FormLayout | undefined;
  /** True if the form has a file. */
  isUpload?: boolean | undefined;
  /** True if the reply opens in another tab. */
  isNewTab?: boolean;
};

/** A form that contains the session's token. The action URL of the form names the merchant. */
export function PostForm(props: PostFormProps): VNode {
  const { id, path, layout = 'fields', isUpload, isNewTab, children } = props;
  const { href, csrf } = useVisitor();
  return (
    <form
      id={id}
      class={layout}
      method="post"
      enctype={isUpload ? 'multipart/form-data' : undefined}
      action={href(path)}
      target={isNewTab ? '_blank' : undefined}
    >
      <HiddenFields fields={{ csrf }} />
      {children}
    </form>
  );
}

/** Fields that are sent with a form. `form` is the id of the form, if they are outside of it. */
export const HiddenFields = ({
  fields,
  form,
}: {
  fields: Readonly<Record<string, string>>;
  form?: string;
}): VNode => (
  <>
    {Object.entries(fields).map(([name, value]) => (
      <input type="hidden" form={form} name={name} value={value} />
    ))}
  </>
);

/** The button that submits a form. The button is highlighted unless `isPlain` is set; a page highlights at most one. */
export const Submit = ({ children, isPlain = false }: Children & { isPlain?: boolean }): VNode => (
  <div>
    <button class={isPlain ? 'plain' : undefined}>{children}</button>
  </div>
);

type PostTarget = { path: string; label: string; fields?: Readonly<Record<string, string>> };

/** A button that performs an action without asking for confirmation. `fields` are sent with the action. */
export const PostButton = ({
  path,
  label,
  fields = {},
  isPrimary = false,
  isNewTab = false,
}: PostTarget & { isPrimary?: boolean; isNewTab?: boolean }): VNode => (
  <PostForm path={path} layout="inline" isNewTab={isNewTab}>
    <HiddenFields fields={fields} />
    <button class={isPrimary ? undefined : 'plain'}>{label}</button>
  </PostForm>
);

/**
 * A button that asks for confirmation. Without scripts, the question is a popover; live.js opens it as a modal dialog.
 * `id` must be unique on the page. `title` names the action and its subject. `row` names the table row if every row has
 * this button. `children` is the question, and `control` is an input in the dialog.
 */
export const ConfirmButton = (
  props: PostTarget & Children & { id: string; title?: string; row?: string; control?: ComponentChildren },
): VNode => {
  const { id, path, label, title = label, row, fields = {}, control, children } = props;
  return (
    <>
      <button
        class="plain"
        type="button"
        popovertarget={id}
        aria-haspopup="dialog"
        aria-label={row === undefined ? undefined : `${label}: ${row}`}
      >
        {label}
      </button>
      <dialog class="confirm" id={id} popover aria-label={title}>
        {title !== label && (
          <p>
            <strong>{title}</strong>
          </p>
        )}
        <p>{children}</p>
        <PostForm path={path} layout="inline">
          <HiddenFields fields={fields} />
          {control}
          <button class="plain" type="button" popovertarget={id} popovertargetaction="hide" autofocus>
            Cancel
          </button>
          <button class="danger">{label}</button>
        </PostForm>
      </dialog>
    </>
  );
};
