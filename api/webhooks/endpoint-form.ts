import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import { ApiError } from '../platform/operation/api-error';
import { webhookEvents } from '../../db/webhooks/vocabulary';
import { checkbox } from '../platform/site/elements';
import { formFields } from '../platform/site/form-fields';
import { oneOf } from '../platform/site/list-elements';
import { listOf, textOf } from '../platform/site/site';
import type { Sent } from '../platform/site/site';

/** The values of an endpoint's form, as the person entered them. */
export type EnteredEndpoint = {
  url: string;
  events: (typeof webhookEvents)[number][];
  timeout_seconds: string;
  description: string;
  enabled: boolean;
  headers: string;
  remove_headers: boolean;
};
export const emptyEndpoint: EnteredEndpoint = {
  url: '',
  events: [...webhookEvents],
  timeout_seconds: '60',
  description: '',
  enabled: true,
  headers: '',
  remove_headers: false,
};

/** Reads the form. `headers` is undefined if none were entered, and `error` names a line that is not a header. */
export function enteredEndpoint(sent: Sent): {
  entered: EnteredEndpoint;
  headers: Record<string, string> | undefined;
  error?: ApiError;
} {
  const entered = {
    url: textOf(sent, 'url'),
    events: listOf(sent, 'events').flatMap((event) => oneOf(webhookEvents, event) ?? []),
    timeout_seconds: textOf(sent, 'timeout_seconds'),
    description: textOf(sent, 'description'),
    enabled: textOf(sent, 'enabled') === 'on',
    headers: textOf(sent, 'headers'),
    remove_headers: textOf(sent, 'remove_headers') === 'on',
  };
  const headers = new Map<string, string>();
  for (const [index, line] of entered.headers.split(/\r?\n/).entries()) {
    const [, name, value] = /^([^:]*):(.*)$/.exec(line) ?? [];
    if (line.trim() === '') continue;
    const problem =
      name === undefined || value === undefined || name.trim() === ''
        ? 'must be a name, a colon and a value, as x-api-key: 1234'
        : headers.has(name.trim())
          ? `names ${name.trim()} a second time`
          : undefined;
    if (problem) {
      const message = `Line ${index + 1} of the custom headers ${problem}`;
      return { entered, headers: undefined, error: new ApiError(422, message, 'custom_headers') };
    }
    headers.set(name?.trim() ?? '', value?.trim() ?? '');
  }
  return { entered, headers: headers.size > 0 ? Object.fromEntries(headers) : undefined };
}

const controls = ['url', 'events', 'description', 'timeout_seconds', 'headers'];

/** Draws the form of a new or existing endpoint, with its errors. An existing endpoint's headers are not shown. */
export function endpointFields(
  entered: EnteredEndpoint,
  { hasHeaders = false, fault }: { hasHeaders?: boolean; fault?: ApiError | undefined } = {},
): { summary: Html | null; fields: Html } {
  const form = formFields(controls, fault, { custom_headers: 'headers' });
  const fields = html`${form.text('url', 'URL', entered.url, {
    type: 'url',
    required: true,
    maxlength: 2048,
    hint: 'https, of a public host.',
  })}
  ${form.checks(
    'events',
    'Events',
    webhookEvents.map((event) => ({ value: event, label: event })),
    entered.events,
  )}
  ${form.text('description', 'Description', entered.description, { maxlength: 500 })}
  ${form.number('timeout_seconds', 'Seconds to answer', entered.timeout_seconds, {
    min: 1,
    max: 60,
    required: true,
    hint: '1 to 60. An answer that takes longer is a failed attempt.',
  })}
  ${form.area('headers', 'Custom headers', entered.headers, {
    rows: 3,
    isCode: true,
    hint: hasHeaders
      ? 'One a line, as x-api-key: 1234. They replace all that are there; empty: those stay.'
      : 'One a line, as x-api-key: 1234. Their values are shown masked from then on.',
  })}
  ${hasHeaders ? checkbox('remove_headers', 'Remove all custom headers', entered.remove_headers) : null}
  ${checkbox('enabled', 'Turned on: what happens is sent', entered.enabled)}`;
  return { summary: form.summary, fields };
}
