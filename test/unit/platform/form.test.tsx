import { ApiError } from '../../../api/platform/operation/api-error';
import { SelectField, Form, TextArea, TextField } from '../../../api/platform/site/form';
import { emptyEndpoint, EndpointForm } from '../../../api/webhooks/pages/endpoint-form';
import { render } from '../../harness/identity/visitor';

const error = new ApiError('invalid_value', 'events must have at least 1 item', 'events', undefined, [
  { name: 'url', code: 'invalid_value', error: 'url must begin with https://' },
  { name: 'custom_headers.host', code: 'invalid_value', error: 'host is set by the platform' },
]);
const tagOf = (markup: string, id: string) =>
  new RegExp(`<\\w+[^>]* id="${id}"[^>]*>`).exec(markup)?.[0] ?? '';

describe('a refused form', () => {
  const markup = render(
    <EndpointForm
      path="/endpoints"
      entered={{ ...emptyEndpoint, url: 'ftp://"x"', description: 'Kept' }}
      button="Save"
      error={error}
    />,
  );

  it('shows each error next to its field, in the words of the label', () => {
    for (const [id, text] of [
      ['url', 'URL must begin with https://'],
      ['events', 'Events must have at least 1 item'],
      ['headers', 'host is set by the platform'],
    ] as const) {
      expect(tagOf(markup, id)).toContain('aria-invalid="true"');
      expect(tagOf(markup, id)).toContain(`aria-describedby="${id}-error`);
      expect(markup).toContain(`<p class="field-error" id="${id}-error">${text}</p>`);
    }
    expect(tagOf(markup, 'description')).not.toContain('aria-invalid');
    expect(tagOf(markup, 'headers')).toContain('aria-describedby="headers-error headers-hint"');
  });

  it('gives the focus to the first invalid field of the page, without a script', () => {
    expect(markup.match(/autofocus/g)).toHaveLength(1);
    expect(tagOf(markup, 'url')).toContain('autofocus');
    expect(markup).toContain('Check the 3 fields marked below.');
  });

  it('keeps what was typed', () => {
    expect(tagOf(markup, 'url')).toContain('value="ftp://&quot;x&quot;"');
    expect(tagOf(markup, 'description')).toContain('value="Kept"');
  });

  it('has no marks without an error', () => {
    const plain = render(<EndpointForm path="/endpoints" entered={emptyEndpoint} button="Save" />);
    expect(plain).not.toMatch(/aria-invalid|autofocus|field-error|role="alert"/);
  });
});

describe('an error of no field', () => {
  it('stands above the form and takes the focus', () => {
    const markup = render(
      <Form path="/x" names={['name']} error={new ApiError('state_conflict', 'This exists <already>')}>
        <TextField name="name" label="Name" value="x" />
      </Form>,
    );
    expect(/<div[^>]*role="alert"[^>]*>/.exec(markup)?.[0]).toContain('autofocus');
    expect(markup).toContain('<p>This exists &lt;already></p>');
    expect(markup.indexOf('role="alert"')).toBeLessThan(markup.indexOf('<form'));
    expect(tagOf(markup, 'name')).not.toContain('autofocus');
  });
});

describe('controls', () => {
  it('escape their values', () => {
    const markup = render(
      <Form path="/x">
        <TextField name="a" label="<A>" value={'"><b>'} />
        <TextArea name="b" label="B" value="</textarea><b>" rows={1} />
        <SelectField name="c" label="C" options={[{ value: '"', label: '<c>' }]} value={'"'} />
      </Form>,
    );
    expect(markup).not.toMatch(/<b>|<A>|<c>/);
    expect(markup).toMatch(/<option value="&quot;" selected>/);
  });
});
