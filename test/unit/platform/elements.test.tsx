import { PostButton, ConfirmButton } from '../../../api/platform/site/buttons';
import { Code, indentJson, Pager, Table, Time } from '../../../api/platform/site/elements';
import { toInstant, toTimeInput } from '../../../api/platform/site/times';
import { dateTime } from '../../../api/platform/text/date-time';
import { AttemptTimeline } from '../../../api/webhooks/pages/attempt-timeline';
import { render, visitor } from '../../harness/identity/visitor';

describe('Table', () => {
  it('is a named region that takes the focus, so that the keyboard can scroll it', () => {
    const markup = render(<Table caption="Keys" columns={['Name', '']} rows={[['a', <b>x</b>]]} />);
    expect(markup).toMatch(/<div class="scroll" role="region" aria-label="Keys" tabindex="0">/);
    expect(markup).toMatch(/<th scope="col" class="acts"><span class="skip">Actions<\/span><\/th>/);
  });
});

describe('Time', () => {
  const at = '2026-07-01T22:30:05.000Z';
  const there = visitor({ merchant: { id: 'm', name: 'M', time_zone: 'Europe/Amsterdam' } });

  it('shows the time zone of the merchant, and the instant in UTC as its title', () => {
    expect(render(<Time at={at} />, there)).toBe(
      `<time datetime="${at}" title="2026-07-01 22:30:05 UTC">Jul 2, 2026, 00:30:05</time>`,
    );
  });
  it('shows a dash for null', () => expect(render(<Time at={null} />)).toContain('–'));

  it.each([
    ['2026-07-02T00:30:05', 'Europe/Amsterdam', '2026-07-01T22:30:05.000Z'],
    ['2026-01-15T09:30', 'America/New_York', '2026-01-15T14:30:00.000Z'],
    // At this time, the clocks in Amsterdam went from 2:00 to 3:00.
    ['2026-03-29T03:00', 'Europe/Amsterdam', '2026-03-29T01:00:00.000Z'],
    ['2026-03-29T01:59', 'Europe/Amsterdam', '2026-03-29T00:59:00.000Z'],
  ])('reads %s from a time field in %s as %s', (local, zone, instant) => {
    expect(toInstant(local, zone)).toBe(instant);
    expect(toTimeInput(instant, zone)).toBe(local.padEnd(19, ':00'));
  });
  it('leaves instants and other texts as they are', () => {
    for (const text of [at, 'yesterday']) expect(toInstant(text, 'UTC')).toBe(text);
    expect(toTimeInput('yesterday', 'UTC')).toBe('');
  });
  it.each(['2026-02-30T10:00', '2026-99-99T99:99'])('leaves it to the API to reject %s', (text) => {
    expect(dateTime.safeParse(toInstant(text, 'UTC')).error?.issues[0]?.message).toMatch(
      /^must be a date and time/,
    );
    expect(toTimeInput(text, 'UTC')).toBe('');
  });
});

describe('Code', () => {
  it('indents JSON and keeps numbers and strings as they are written', () => {
    const text = '{"a":[1,12345678901234567890,1.0],"b":{},"c":"x: {,\\"}","d":[ ]}';
    expect(indentJson(text)).toBe(
      '{\n  "a": [\n    1,\n    12345678901234567890,\n    1.0\n  ],\n  "b": {},\n  "c": "x: {,\\"}",\n  "d": []\n}',
    );
    expect(JSON.stringify(JSON.parse(indentJson(text)))).toBe(JSON.stringify(JSON.parse(text)));
  });
  it('shows other texts as they are', () => {
    for (const text of ['x-a: 1\nx-b: 2', '{"cut":', '[not json]', '<p>{}</p>', '42'])
      expect(indentJson(text)).toBe(text);
  });
  it('does not indent texts that are large or would grow too much', () => {
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);
    const large = `["${'a'.repeat(65_536)}"]`;
    for (const text of [deep, large]) expect(indentJson(text)).toBe(text);
  });
  it('escapes markup', () => expect(render(<Code label="Body" text="</pre><b>" />)).not.toContain('<b>'));
});

describe('Pager', () => {
  const page = (total: number, offset = 0) =>
    render(<Pager path="/results" total={total} limit={50} offset={offset} />);

  it('is left out for an empty list', () => expect(page(0)).toBe(''));
  it('shows which entries of the total are on the page', () =>
    expect(page(120, 50)).toContain('51–100 of 120'));
  it('links back from a page beyond the end', () => {
    expect(page(0, 50)).toMatch(/rel="prev"/);
    expect(page(40, 50)).not.toContain('–');
  });
  it('leads beyond the number up to which matches are counted', () => {
    const counted = (offset: number, has_more: boolean) =>
      render(<Pager path="/mails" total={100} countedTo={100} limit={50} {...{ offset, has_more }} />);
    expect(counted(0, true)).toContain('1–50 of 100 or more');
    expect(counted(100, true)).toMatch(/101–150<.*rel="next"/);
    expect(counted(150, false)).not.toMatch(/–|rel="next"/);
  });
});

describe('ConfirmButton', () => {
  const button = render(
    <ConfirmButton path="/endpoints/1/pause" id="pause" label="Pause" fields={{ id: '1' }}>
      Sure?
    </ConfirmButton>,
  );

  it('opens a popover, which moves nothing and closes on Escape, without a script', () => {
    expect(button).toMatch(/<button class="plain" type="button" popovertarget="pause"/);
    expect(button).toMatch(/<dialog class="confirm" id="pause" popover[^>]* aria-label="Pause">/);
    expect(button).not.toContain('onclick');
  });
  it('names its subject', () => {
    const title = 'Change the role of Ada';
    const markup = render(
      <ConfirmButton path="/team/update" id="role-1" label="Change role" title={title}>
        Sure?
      </ConfirmButton>,
    );
    expect(markup).toContain(`aria-label="${title}"`);
    expect(markup).toContain(`<p><strong>${title}</strong></p>`);
  });
  it('has the name of its row if the same button is in every row', () => {
    const markup = render(
      <ConfirmButton path="/team/update" id="role-1" label="Change role" row="Ada">
        Sure?
      </ConfirmButton>,
    );
    expect(markup).toMatch(/<button[^>]*aria-label="Change role: Ada"/);
    expect(button).not.toMatch(/<button[^>]*aria-label/);
  });
  it('can be canceled, and acts only by its own form', () => {
    expect(button).toMatch(/popovertarget="pause" popovertargetaction="hide" autofocus>\s*Cancel/);
    expect(button).toMatch(/method="post" action="\/console\/endpoints\/1\/pause"/);
    expect(button).toMatch(/<button class="danger">Pause<\/button>/);
    expect(render(<PostButton path="/x" label="Do" />)).not.toContain('popover');
  });
});

describe('AttemptTimeline', () => {
  it('lets payloads take the focus, each with a name', () => {
    const markup = render(
      <AttemptTimeline
        deliveryId="d"
        timeline={[
          {
            series: 1,
            attempt: 1,
            outcome: 'refused',
            status: 500,
            error: null,
            peer_address: null,
            started_at: '2026-11-22T06:27:25.000Z',
            dns_ms: null,
            connect_ms: null,
            tls_ms: null,
            first_byte_ms: null,
            total_ms: null,
            triggered_by: null,
            request_headers: { a: 'b' },
            request_body: '{}',
            response_headers: { c: 'd' },
            response_body: 'no',
            is_truncated: false,
            is_left_out: false,
          },
        ]}
        names={new Map()}
      />,
    );
    expect([...markup.matchAll(/<pre ([^>]*)>/g)].map(([, attributes]) => attributes)).toEqual(
      ['Request headers', 'Request body', 'Response headers', 'Response body'].map(
        (label) => `tabindex="0" role="region" aria-label="${label}"`,
      ),
    );
  });
});
