import { html } from '../../../api/platform/text/html';
import { ApiError } from '../../../api/platform/operation/api-error';
import { formFields } from '../../../api/platform/site/form-fields';
import { endpointFields, emptyEndpoint } from '../../../api/webhooks/endpoint-form';

const fault = new ApiError(422, 'events must have at least 1 item', 'events', undefined, [
  { name: 'url', code: 'invalid_value', error: 'url must be https' },
  { name: 'custom_headers.host', code: 'invalid_value', error: 'host is not yours to set' },
]);
const tagOf = (markup: string, id: string) =>
  new RegExp(`<\\w+[^>]* id="${id}"[^>]*>|<\\w+ id="${id}"[^>]*>`).exec(markup)?.[0] ?? '';

describe('the fields of a refused form', () => {
  const { summary, fields } = endpointFields(
    { ...emptyEndpoint, url: 'ftp://"x"', description: 'Kept' },
    { fault },
  );

  it('show each error beside its own field, tied to it', () => {
    for (const [id, error] of [
      ['url', 'url must be https'],
      ['events', 'events must have at least 1 item'],
      ['headers', 'host is not yours to set'],
    ] as const) {
      expect(tagOf(fields.text, id)).toContain('aria-invalid="true"');
      expect(tagOf(fields.text, id)).toContain(`aria-describedby="${id}-error`);
      expect(fields.text).toContain(`<span class="field-error" id="${id}-error">${error}</span>`);
    }
    expect(tagOf(fields.text, 'description')).not.toContain('aria-invalid');
    expect(tagOf(fields.text, 'headers')).toContain('aria-describedby="headers-error headers-hint"');
  });

  it('give the focus to the first wrong field of the page, without script', () => {
    expect([...fields.text.matchAll(/autofocus/g)]).toHaveLength(1);
    expect(tagOf(fields.text, 'url')).toContain('autofocus');
    expect(summary?.text).toContain('Check the 3 fields marked below.');
    expect(summary?.text).not.toContain('autofocus');
  });

  it('keep what was typed', () => {
    expect(fields.text).toContain('value="ftp://&#34;x&#34;"');
    expect(fields.text).toContain('value="Kept"');
  });

  it('are as ever where nothing is wrong', () => {
    const { summary: none, fields: plain } = endpointFields(emptyEndpoint);
    expect(none).toBeNull();
    expect(plain.text).not.toMatch(/aria-invalid|autofocus|field-error/);
  });
});

describe('an error of no field', () => {
  it('stands above the form and takes the focus', () => {
    const form = formFields(['name'], new ApiError(409, 'This exists <already>'));
    expect(form.summary?.text).toMatch(/role="alert"\s+tabindex="-1"\s+autofocus/);
    expect(form.summary?.text).toContain('<p>This exists &#60;already&#62;</p>');
    expect(form.text('name', 'Name', 'x').text).not.toContain('autofocus');
  });
});

describe('controls', () => {
  it('escape what they hold', () => {
    const form = formFields(['a', 'b', 'c']);
    const { text } = html`${form.text('a', '<A>', '"><b>')}
    ${form.area('b', 'B', '</textarea><b>', { rows: 1 })}
    ${form.choice('c', 'C', [{ value: '"', label: '<c>' }], '"')}`;
    expect(text).not.toMatch(/<b>|<A>|<c>/);
    expect(text).toMatch(/value="&#34;"\s+selected/);
  });
});
