import { actButton, confirmButton, pager, table } from '../../../api/platform/site/elements';
import { attemptTimeline } from '../../../api/webhooks/attempt-timeline';
import { html } from '../../../api/platform/text/html';
import { visitor } from '../../harness/visitor';

describe('table', () => {
  it('is a named region that takes the focus, so that it can be scrolled by keyboard', () => {
    const { text } = table('Keys', ['Name', ''], [['a', html`<b>x</b>`]]);
    expect(text).toMatch(/<div class="scroll" role="region" aria-label="Keys" tabindex="0">/);
    expect(text).toMatch(/<th scope="col" class="acts"><span class="skip">Actions<\/span><\/th>/);
  });
});

describe('pager', () => {
  const page = (total: number, offset = 0) => pager(visitor(), '/results', { total, limit: 50, offset }).text;

  it('says nothing of an empty list', () => expect(page(0)).toBe(''));
  it('counts what is shown', () => expect(page(120, 50)).toContain('51–100 of 120'));
  it('leads back from a page beyond the end', () => {
    expect(page(0, 50)).toMatch(/rel="prev"/);
    expect(page(40, 50)).not.toContain('–');
  });
});

describe('confirmButton', () => {
  const button = confirmButton(visitor(), '/endpoints/1/pause', {
    id: 'pause',
    label: 'Pause',
    question: 'Sure?',
    fields: { id: '1' },
  }).text;

  it('opens a popover, which moves nothing and closes on Escape, without script', () => {
    expect(button).toMatch(/<button\s+class="plain"\s+type="button"\s+popovertarget="pause"/);
    expect(button).toMatch(/<dialog class="confirm" id="pause" popover aria-label="Pause">/);
    expect(button).not.toContain('onclick');
  });
  it('says who is concerned', () => {
    const question = {
      id: 'role-1',
      label: 'Change role',
      title: 'Change the role of Ada',
      question: 'Sure?',
    };
    const { text } = confirmButton(visitor(), '/team/update', question);
    expect(text).toContain('aria-label="Change the role of Ada"');
    expect(text).toContain('<p><strong>Change the role of Ada</strong></p>');
  });
  it('has the name of its row, where the same button is in every row', () => {
    const { text } = confirmButton(visitor(), '/team/update', {
      id: 'role-1',
      label: 'Change role',
      row: 'Ada',
      question: 'Sure?',
    });
    expect(text).toMatch(/<button[^>]*aria-label="Change role: Ada"/);
    expect(button).not.toMatch(/<button[^>]*aria-label/);
  });
  it('can be cancelled, and acts only by its own form', () => {
    expect(button).toMatch(/popovertarget="pause" popovertargetaction="hide" autofocus\s*>\s*Cancel/);
    expect(button).toMatch(/method="post" action="\/console\/endpoints\/1\/pause"/);
    expect(button).toMatch(/<button class="danger">Pause<\/button>/);
    expect(actButton(visitor(), '/x', 'Do').text).not.toContain('popover');
  });
});

describe('attempts', () => {
  it('let payloads take the focus, each with a name', () => {
    const { text } = attemptTimeline(
      [
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
        },
      ],
      new Map(),
    );
    expect([...text.matchAll(/<pre ([^>]*)>/g)].map(([, attributes]) => attributes)).toEqual(
      ['Request headers', 'Request body', 'Response headers', 'Response body'].map(
        (label) => `tabindex="0" role="region" aria-label="${label}"`,
      ),
    );
  });
});
