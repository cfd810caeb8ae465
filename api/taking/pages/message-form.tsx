import type { ComponentChildren, VNode } from 'preact';
import { errorAttributes, FieldError } from '../../platform/site/field-error';
import { CutTextNote } from './cut-text';
import { maxMessageCharacters, messageActions } from './message-input';
import type { MessageKind } from './message-input';
import type { InterviewVisit } from './visit';
import { VisitForm } from './visit-form';

type MessageFormProps = {
  visit: InterviewVisit;
  kind: MessageKind;
  isNewTab?: boolean;
  /** The label of the text field. */
  label: string;
  button: string;
  /** The options that are shown above the text field. */
  children?: ComponentChildren;
};

/**
 * A form with which a candidate writes to the recruiters. If a message was rejected, the form says why and keeps its
 * content.
 */
export function MessageForm(props: MessageFormProps): VNode {
  const { visit, kind, isNewTab, label, button, children } = props;
  const { texts, refusedMessage } = visit;
  const refused = refusedMessage?.kind === kind ? refusedMessage : undefined;
  const action = messageActions[kind];
  const count = maxMessageCharacters[kind];
  const id = `message-${action}`;
  const problemId = refused && `${id}-problem`;
  return (
    <VisitForm visit={visit} action={action} isNewTab={isNewTab ?? false}>
      {refused && problemId && <FieldError id={problemId}>{texts(refused.problem, { count })}</FieldError>}
      {children}
      <label for={id}>{label}</label>
      <textarea id={id} name="text" rows={3} dir="auto" maxlength={count} {...errorAttributes(problemId)}>
        {(refused?.sent['text'] ?? '').slice(0, count)}
      </textarea>
      <CutTextNote texts={texts} text={refused?.sent['text']} max={count} />
      <button class="plain">{button}</button>
    </VisitForm>
  );
}

/** A list of options of which a candidate chooses one. */
export const OptionList = (props: {
  visit: InterviewVisit;
  kind: MessageKind;
  name: 'time_factor' | 'rating' | 'trouble';
  label: string;
  options: readonly (readonly [value: string, label: string])[];
}): VNode => {
  const { visit, kind, name, label, options } = props;
  const sent = visit.refusedMessage?.kind === kind ? visit.refusedMessage.sent[name] : undefined;
  return (
    <>
      <label for={`message-${name}`}>{label}</label>
      <select id={`message-${name}`} name={name}>
        <option value="" />
        {options.map(([value, text]) => (
          <option value={value} selected={value === sent}>
            {text}
          </option>
        ))}
      </select>
    </>
  );
};
