import { randomUUID } from 'node:crypto';
import type { VNode } from 'preact';
import { ApiError } from '../operation/api-error';
import { HiddenFields } from './buttons';
import { sentText } from './sent';
import type { RequestData } from './sent';

/** Returns the field that makes a form safe to send twice: `formKey` makes the Idempotency-Key of the call from it. */
export const newFormId = () => ({ form_id: randomUUID() });

export const FormId = (): VNode => <HiddenFields fields={newFormId()} />;

/** Returns the Idempotency-Key of a form that contains a form id. Throws 422 if there is none. */
export function formKey(sent: Pick<RequestData, 'form'>): string {
  const id = sentText(sent, 'form_id');
  if (!/^[\da-f-]{36}$/.test(id))
    throw new ApiError('invalid_request', 'The form could not be read. Reload the page and try again.');
  return `console ${id}`;
}
