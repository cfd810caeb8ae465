import { createContext } from 'preact';
import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { ApiError, ErrorItem } from '../operation/api-error';
import { HiddenFields, PostForm } from './buttons';
import type { FormLayout } from './buttons';
import { errorAttributes, FieldError } from './field-error';
import { toTimeInput } from './times';
import { useMerchantTimeZone, useVisitor } from './visitor-context';

type Children = { children?: ComponentChildren };
type Labelled = { name: string; label: string; hint?: string | undefined; isShort?: boolean };
/** What can be chosen in a select field. */
export type Option = { value: string; label: string };

/**
 * The errors of the form that is being rendered, keyed by control. `first` is the first control with an error, which
 * gets the focus.
 */
type FormErrors = { wrong: ReadonlyMap<string, ErrorItem>; first: string | undefined };
const ErrorContext = createContext<FormErrors>({ wrong: new Map(), first: undefined });

/**
 * `names` are the form's controls in page order. `error` is the form's error. `aliases` maps the wire name of a field
 * to the control for this field if the two names differ.
 */
type FormProps = Children & {
  /** The form's id, to which buttons outside of the form refer. */
  id?: string;
  path: string;
  names?: readonly string[];
  error?: ApiError | undefined;
  aliases?: Readonly<Record<string, string>>;
  layout?: FormLayout;
  isUpload?: boolean;
};

/**
 * A form that performs an action. Each control shows its own error, and the first control with an error gets the focus
 * when the page loads. Errors that belong to no control are shown above the form.
 */
export const Form = ({ id, path, layout, isUpload, children, ...errors }: FormProps): VNode => (
  <WithErrors {...errors}>
    <PostForm {...{ id, path, layout, isUpload }}>{children}</PostForm>
  </WithErrors>
);

/** A form whose fields become the query parameters of a list. */
export function SearchForm({ path, children, ...errors }: FormProps): VNode {
  // On submit, the browser replaces the query of the form's address with the fields, so the parameters of that query
  // are added as hidden fields.
  const { pathname, searchParams } = new URL(useVisitor().href(path), 'http://console');
  return (
    <WithErrors {...errors}>
      <form class="inline" method="get" action={pathname}>
        <HiddenFields fields={Object.fromEntries(searchParams)} />
        {children}
      </form>
    </WithErrors>
  );
}

/** Makes the errors of a form available to the controls in it. */
export function WithErrors({
  names = [],
  error,
  aliases = {},
  children,
}: Omit<FormProps, 'path' | 'layout' | 'isUpload'>): VNode {
  const wrong = new Map<string, ErrorItem>();
  const others: string[] = [];
  for (const item of error?.errors ?? []) {
    const wireName = item.name?.split(/[.[]/, 1)[0] ?? '';
    const name = aliases[wireName] ?? wireName;
    if (!names.includes(name)) others.push(item.error);
    else if (!wrong.has(name)) wrong.set(name, item);
  }
  return (
    <ErrorContext.Provider value={{ wrong, first: names.find((name) => wrong.has(name)) }}>
      <Summary others={others} marked={wrong.size} />
      {children}
    </ErrorContext.Provider>
  );
}

/** Shows the errors that belong to no control. The summary gets the focus if no control has an error. */
function Summary({ others, marked }: { others: readonly string[]; marked: number }): VNode | null {
  if (others.length + marked === 0) return null;
  return (
    <div class="error" role="alert" tabindex={-1} autofocus={marked === 0}>
      {others.map((line) => (
        <p>{line}</p>
      ))}
      {marked > 0 && <p>{`Check the ${marked === 1 ? 'field' : `${marked} fields`} marked below.`}</p>}
    </div>
  );
}

/** Shows the error of a rejected action that has no fields. */
export const ErrorBox = ({ error }: { error: ApiError | undefined }): VNode => <WithErrors error={error} />;

/**
 * Returns the error of a control, worded with its label, and the attributes that connect the control with the error.
 */
function useNotes({ name, label, hint }: Labelled) {
  const { wrong, first } = useContext(ErrorContext);
  const item = wrong.get(name);
  const error = item && inWords(item, label);
  const errorId = error && `${name}-error`;
  const described = [errorId, hint && `${name}-hint`].filter(Boolean).join(' ');
  const marks = {
    id: name,
    ...errorAttributes(errorId, name === first),
    'aria-describedby': described || undefined,
  };
  const notes = (
    <>
      {errorId && <FieldError id={errorId}>{error}</FieldError>}
      {hint && (
        <span class="soft small" id={`${name}-hint`}>
          {hint}
        </span>
      )}
    </>
  );
  return { marks, notes };
}

/**
 * Replaces the field's name in an error with its label: `timeout_seconds must be at most 60` becomes `Timeout (seconds)
 * must be at most 60`.
 */
function inWords({ name, error }: ErrorItem, label: string): string {
  if (name === null || !error.startsWith(`${name} `)) return error;
  const [, inside] = /^\w+[.[](.+?)\]?$/.exec(name) ?? [];
  return `${label}${inside === undefined ? '' : `: ${inside}`}${error.slice(name.length)}`;
}

const Field = ({ name, label, isShort, children, notes }: Labelled & Children & { notes: VNode }): VNode => (
  <div class={isShort ? 'field short' : 'field'}>
    <label for={name}>{label}</label>
    {children}
    {notes}
  </div>
);

type InputAttributes = { required?: boolean; maxlength?: number; list?: string; autocomplete?: string };

export function TextField(props: Labelled & InputAttributes & { value: string; type?: string }): VNode {
  const { name, value, type = 'text', maxlength = 1000, autocomplete = 'off', list, required } = props;
  const { marks, notes } = useNotes(props);
  return (
    <Field {...props} notes={notes}>
      <input {...{ name, value, type, maxlength, autocomplete, list, required }} {...marks} />
    </Field>
  );
}

/** A field for a file. Its form has `isUpload`. */
export function FileField(props: Labelled & { accept: string }): VNode {
  const { marks, notes } = useNotes(props);
  return (
    <Field {...props} notes={notes}>
      <input type="file" name={props.name} accept={props.accept} {...marks} />
    </Field>
  );
}

export function NumberField(
  props: Labelled & { value: string; min: number; max: number; step?: 'any'; required?: boolean },
): VNode {
  const { name, value, min, max, step, required } = props;
  const { marks, notes } = useNotes(props);
  return (
    <Field {...props} notes={notes}>
      <input type="number" {...{ name, value, min, max, step, required }} {...marks} />
    </Field>
  );
}

/** A field for a date and time in the merchant's time zone. `value` may also be an instant. */
export function TimeField(props: Labelled & { value: string }): VNode {
  const timeZone = useMerchantTimeZone();
  const { marks, notes } = useNotes(props);
  const { name, value } = props;
  return (
    <Field {...props} notes={notes}>
      <input type="datetime-local" step="1" name={name} value={toTimeInput(value, timeZone)} {...marks} />
    </Field>
  );
}

export function TextArea(
  props: Labelled & { value: string; rows: number; maxlength?: number; isCode?: boolean },
): VNode {
  const { name, value, rows, maxlength = 20_000, isCode } = props;
  const { marks, notes } = useNotes(props);
  const code = isCode ? { class: 'mono', spellcheck: false } : {};
  return (
    <Field {...props} notes={notes}>
      <textarea {...{ name, rows, maxlength, autocomplete: 'off' }} {...code} {...marks}>
        {value}
      </textarea>
    </Field>
  );
}

export function SelectField(props: Labelled & { options: readonly Option[]; value: string }): VNode {
  const { marks, notes } = useNotes(props);
  return (
    <Field {...props} notes={notes}>
      <select name={props.name} {...marks}>
        <OptionElements options={props.options} value={props.value} />
      </select>
    </Field>
  );
}

export const OptionElements = ({
  options,
  value: chosen,
}: {
  options: readonly Option[];
  value: string;
}): VNode => (
  <>
    {options.map(({ value, label }) => (
      <option value={value} selected={value === chosen}>
        {label}
      </option>
    ))}
  </>
);

/** Several controls for one field. If there is an error, the group gets the focus instead of a control. */
export function FieldGroup(props: Labelled & Children): VNode {
  const { marks, notes } = useNotes(props);
  return (
    <fieldset tabindex={-1} {...marks}>
      <legend>{props.label}</legend>
      {props.children}
      {notes}
    </fieldset>
  );
}

/** The checkboxes of one list. */
export const CheckboxList = (
  props: Labelled & { options: readonly Option[]; checked: readonly string[] },
): VNode => (
  <FieldGroup {...props}>
    {props.options.map(({ value, label }) => (
      <Checkbox name={props.name} label={label} value={value} isChecked={props.checked.includes(value)} />
    ))}
  </FieldGroup>
);

export const Checkbox = (props: {
  name: string;
  label: string;
  isChecked: boolean;
  value?: string;
}): VNode => (
  <label class="check">
    <input type="checkbox" name={props.name} value={props.value ?? 'on'} checked={props.isChecked} />
    <span>{props.label}</span>
  </label>
);
