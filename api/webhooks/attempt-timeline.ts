import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import { shownAttempts } from './webhook-delivery-get';
import { outcomeNames, outcomeText } from './delivery-words';
import type { Attempt, Tone } from './delivery-words';
import { badge, facts, timestamp } from '../platform/site/elements';
import { moment } from '../platform/site/list-elements';

/** Shows attempts, latest first, with the latest one open. All content from outside is shown as text. */
export function attemptTimeline(timeline: readonly Attempt[], names: ReadonlyMap<string, string>): Html {
  if (timeline.length === 0) return html`<p class="soft">No attempt yet.</p>`;
  return html`<ol class="timeline" reversed>
      ${timeline.toReversed().map((attempt, place) => entry(attempt, names, place === 0))}
    </ol>
    ${timeline.length === shownAttempts ? html`<p class="soft">The latest ${shownAttempts}.</p>` : null}`;
}

/** Returns the name of the person who requested an attempt, from the merchant's names. */
export const nameOf = (names: ReadonlyMap<string, string>, id: string): string =>
  names.get(id) ?? 'an operator';

const toneOf = ({ outcome }: Attempt): Tone =>
  outcome === 'acknowledged' ? 'good' : outcome === 'worker_lost' ? 'warn' : 'bad';

function entry(attempt: Attempt, names: ReadonlyMap<string, string>, isOpen: boolean): Html {
  const { series, attempt: number, outcome, status, started_at, total_ms } = attempt;
  const tone = toneOf(attempt);
  return html`<li class="attempt ${tone}">
    <details id="attempt-${series}-${number}" ${isOpen ? html`open` : null}>
      <summary>
        <strong>Attempt ${number}${series > 1 ? ` of series ${series}` : null}</strong>
        ${badge(outcomeText(outcome, status) ?? '', tone)} ${timestamp(started_at)}
        ${total_ms === null ? null : html`<span class="soft">took ${duration(total_ms)}</span>`}
      </summary>
      ${facts([
        ['Outcome', outcome === 'worker_lost' ? lost : outcomeNames[outcome]],
        attempt.error === null ? null : ['Error', attempt.error],
        ['Started', moment(started_at)],
        [
          'Asked for by',
          attempt.triggered_by === null ? 'the schedule' : nameOf(names, attempt.triggered_by),
        ],
        attempt.peer_address === null
          ? null
          : ['Address', html`<span class="mono">${attempt.peer_address}</span>`],
      ])}
      ${phases(attempt)}
      <div class="two">
        <section>
          <h3>Request</h3>
          ${headerBlock('Request headers', attempt.request_headers)}
          ${bodyBlock('Request body', attempt.request_body, 'no body was kept')}
        </section>
        <section>
          <h3>Answer${status === null ? null : `: HTTP ${status}`}</h3>
          ${headerBlock('Response headers', attempt.response_headers)}
          ${bodyBlock('Response body', attempt.response_body, status === null ? 'there was none' : 'no body')}
          ${attempt.is_truncated ? html`<p class="soft small">More came: this is the beginning of it.</p>` : null}
        </section>
      </div>
    </details>
  </li>`;
}

const lost = 'The sending process ended before it could record one: it may have arrived.';

/** Shows a name-value object with one header per line. */
function headerBlock(label: string, headers: unknown): Html | null {
  if (typeof headers !== 'object' || headers === null) return null;
  const lines = Object.entries(headers).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return lines.length === 0 ? null : scrollable(label, lines.join('\n'));
}

const bodyBlock = (label: string, body: string | null, none: string): Html =>
  body === null || body === '' ? html`<p class="soft small">${none}</p>` : scrollable(label, body);

/** Text that may need scrolling. The keyboard can reach it in every browser. */
const scrollable = (label: string, text: string): Html =>
  html`<pre tabindex="0" role="region" aria-label="${label}">${text}</pre>`;

const phaseNames = [
  ['dns_ms', 'dns', 'look-up'],
  ['connect_ms', 'connect', 'connect'],
  ['tls_ms', 'tls', 'TLS'],
  ['first_byte_ms', 'first-byte', 'until the answer began'],
] as const;

/** Shows the duration of each phase as a bar and in words. */
function phases(attempt: Attempt): Html | null {
  const { total_ms } = attempt;
  if (total_ms === null || total_ms <= 0) return null;
  const known = phaseNames.flatMap(([field, kind, label]) => {
    const ms = attempt[field];
    return ms === null ? [] : [{ kind, label, ms }];
  });
  const rest = total_ms - known.reduce((sum, { ms }) => sum + ms, 0);
  const parts = [...known, ...(rest >= 0.05 ? [{ kind: 'rest', label: 'the rest', ms: rest }] : [])];
  const whole = Math.max(
    total_ms,
    parts.reduce((sum, { ms }) => sum + ms, 0),
  );
  let at = 0;
  const bars = parts.map(({ kind, ms }) => {
    const width = (ms / whole) * 1000;
    at += width;
    return html`<rect
      class="${kind}"
      x="${(at - width).toFixed(2)}"
      width="${width.toFixed(2)}"
      height="10"
    />`;
  });
  return html`<div>
    <svg class="phases" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>
    <ul class="legend">
      ${parts.map(
        ({ kind, label, ms }) =>
          html`<li>
            <svg viewBox="0 0 10 10" aria-hidden="true"><rect class="${kind}" width="10" height="10" /></svg>
            ${label} ${duration(ms)}
          </li>`,
      )}
      <li><strong>total ${duration(total_ms)}</strong></li>
    </ul>
  </div>`;
}

const duration = (ms: number): string =>
  ms >= 10_000
    ? `${(ms / 1000).toFixed(0)} s`
    : ms >= 1000
      ? `${(ms / 1000).toFixed(1)} s`
      : `${ms.toFixed(1)} ms`;
