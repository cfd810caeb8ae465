import type { VNode } from 'preact';
import { resultEvents, webhookEvents } from '../../../db/webhooks/vocabulary';
import { ApiError } from '../../platform/operation/api-error';
import { Submit } from '../../platform/site/buttons';
import { Checkbox, CheckboxList, Form, NumberField, TextArea, TextField } from '../../platform/site/form';
import { oneOf } from '../../platform/site/query';
import { sentValues, sentText } from '../../platform/site/site';
import type { RequestData } from '../../platform/site/site';

/** The values of an endpoint's form as the person entered them: texts, except for the events and the checkboxes. */
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
  events: [...resultEvents],
  timeout_seconds: '60',
  description: '',
  enabled: true,
  headers: '',
  remove_headers: false,
};

/**
 * Reads the form. `headers` is undefined if none were entered. `error` is set if a line of the headers is not a header.
 */
export function enteredEndpoint(sent: RequestData): {
  entered: EnteredEndpoint;
  headers: Record<string, string> | undefined;
  error?: ApiError;
} {
  const entered = {
    url: sentText(sent, 'url'),
    events: sentValues(sent, 'events').flatMap((event) => oneOf(webhookEvents, event) ?? []),
    timeout_seconds: sentText(sent, 'timeout_seconds'),
    description: sentText(sent, 'description'),
    enabled: sentText(sent, 'enabled') === 'on',
    headers: sentText(sent, 'headers'),
    remove_headers: sentText(sent, 'remove_headers') === 'on',
  };
  const headers = new Map<string, string>();
  for (const [index, line] of entered.headers.split(/\r?\n/).entries()) {
    const [, name, value] = /^([^:]*):(.*)$/.exec(line) ?? [];
    if (line.trim() === '') continue;
    const problem =
      name === undefined || value === undefined || name.trim() === ''
        ? 'must have a name, a colon, and a value, like x-api-key: 1234'
        : headers.has(name.trim())
          ? `repeats ${name.trim()}`
          : undefined;
    if (problem) {
      const message = `Line ${index + 1} of the custom headers ${problem}.`;
      return { entered, headers: undefined, error: new ApiError('invalid_value', message, 'custom_headers') };
    }
    headers.set(name?.trim() ?? '', value?.trim() ?? '');
  }
  return { entered, headers: headers.size > 0 ? Object.fromEntries(headers) : undefined };
}

/** Shows the form of a new or existing endpoint, but not the values of an existing endpoint's headers. */
export const EndpointForm = (props: {
  path: string;
  entered: EnteredEndpoint;
  button: string;
  isPlain?: boolean;
  hasHeaders?: boolean;
  error?: ApiError | undefined;
}): VNode => {
  const { path, entered, button, isPlain = false, hasHeaders = false, error } = props;
  const format = 'One per line, like x-api-key: 1234.';
  return (
    <Form
      path={path}
      names={['url', 'events', 'description', 'timeout_seconds', 'headers']}
      aliases={{ custom_headers: 'headers' }}
      error={error}
    >
      <TextField
        name="url"
        label="URL"
        value={entered.url}
        type="url"
        required
        maxlength={2048}
        hint="A public HTTPS URL."
      />
      <CheckboxList
        name="events"
        label="Events"
        options={webhookEvents.map((event) => ({ value: event, label: event }))}
        checked={entered.events}
      />
      <TextField name="description" label="Description" value={entered.description} maxlength={500} />
      <NumberField
        name="timeout_seconds"
        label="Timeout (seconds)"
        value={entered.timeout_seconds}
        min={1}
        max={60}
        required
        hint="1 to 60. An attempt fails if the response takes longer."
      />
      <TextArea
        name="headers"
        label="Custom headers"
        value={entered.headers}
        rows={3}
        isCode
        hint={
          hasHeaders
            ? `${format} New headers replace all existing ones. Leave empty to keep those.`
            : `${format} Values are masked after you save.`
        }
      />
      {hasHeaders && (
        <Checkbox
          name="remove_headers"
          label="Remove all custom headers"
          isChecked={entered.remove_headers}
        />
      )}
      <Checkbox name="enabled" label="Enabled" isChecked={entered.enabled} />
      <Submit isPlain={isPlain}>{button}</Submit>
    </Form>
  );
};
