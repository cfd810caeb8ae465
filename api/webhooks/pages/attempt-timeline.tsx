import type { VNode } from 'preact';
import type { ListedAttempt } from '../../../db/webhooks/attempt-history';
import { Badge, Code, Facts, Link, TimeWithRelative, Mono, Time } from '../../platform/site/elements';
import type { Tone } from '../../platform/site/elements';
import { nameOf } from './actor-names';
import type { ActorNames } from './actor-names';
import { outcomeNames, outcomeText } from './delivery-words';
import type { WebhookAttempt } from './delivery-words';

/** The maximum number of attempts on a page. */
export const shownAttempts = 20;
/**
 * The maximum number of bytes of requests and responses on a page, because rendering 2 MB of them blocked the process
 * for a second. Attempts beyond the limit link to a page of their own.
 */
export const maxShownBytes = 65_536;

type InTimeline = { deliveryId: string; names: ActorNames };

/**
 * Shows attempts, latest first, with only the latest one open. Everything that comes from outside is shown as plain
 * text.
 */
export function AttemptTimeline({
  timeline,
  ...others
}: InTimeline & { timeline: readonly ListedAttempt[] }): VNode {
  if (timeline.length === 0) return <p class="soft">No attempts yet.</p>;
  return (
    <ol class="timeline" reversed>
      {timeline.map((attempt, place) => (
        <Entry attempt={attempt} isOpen={place === 0} {...others} />
      ))}
    </ol>
  );
}

const toneOf = ({ outcome }: WebhookAttempt): Tone =>
  outcome === 'acknowledged' ? 'good' : outcome === 'worker_lost' ? 'warn' : 'bad';

function Entry({
  attempt,
  deliveryId,
  names,
  isOpen,
}: InTimeline & { attempt: ListedAttempt; isOpen: boolean }): VNode {
  const { series, attempt: number, outcome, status, started_at, total_ms, error, triggered_by } = attempt;
  const tone = toneOf(attempt);
  return (
    <li class={`attempt ${tone}`}>
      <details id={`attempt-${series}-${number}`} open={isOpen}>
        <summary>
          <strong>
            Attempt {number}
            {series > 1 && ` of series ${series}`}
          </strong>{' '}
          <Badge tone={tone}>{outcomeText(outcome, status)}</Badge> <Time at={started_at} />{' '}
          {total_ms !== null && <span class="soft">{duration(total_ms)}</span>}
        </summary>
        <Facts
          entries={[
            ['Outcome', outcome === 'worker_lost' ? lost : outcomeNames[outcome]],
            error !== null && ['Error', error],
            ['Started', <TimeWithRelative at={started_at} />],
            ['Requested by', triggered_by === null ? 'Automatic retry' : nameOf(names, triggered_by)],
            attempt.peer_address !== null && ['Address', <Mono>{attempt.peer_address}</Mono>],
          ]}
        />
        <Phases attempt={attempt} />
        {attempt.is_left_out ? (
          <p>
            <Link to={`/deliveries/${deliveryId}`} query={{ attempt: `${series}.${number}` }}>
              Show the request and the response
            </Link>
          </p>
        ) : (
          <Exchange attempt={attempt} />
        )}
      </details>
    </li>
  );
}

const Exchange = ({ attempt }: { attempt: WebhookAttempt }): VNode => (
  <div class="two">
    <section>
      <h3>Request</h3>
      <Headers label="Request headers" headers={attempt.request_headers} />
      <Body label="Request body" body={attempt.request_body} none="The body was not kept." />
    </section>
    <section>
      <h3>{attempt.status === null ? 'Response' : `Response: HTTP ${attempt.status}`}</h3>
      <Headers label="Response headers" headers={attempt.response_headers} />
      <Body
        label={attempt.is_truncated ? 'Response body (truncated)' : 'Response body'}
        body={attempt.response_body}
        none={attempt.status === null ? 'No response.' : 'No body.'}
      />
      {attempt.is_truncated && <p class="soft small">Truncated</p>}
    </section>
  </div>
);

const lost =
  'Unknown: the sending process ended before it recorded the outcome. The webhook may have arrived.';

/** Shows headers, one on each line. Returns null if there are none. */
function Headers({ label, headers }: { label: string; headers: unknown }): VNode | null {
  if (typeof headers !== 'object' || headers === null) return null;
  const lines = Object.entries(headers).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return lines.length === 0 ? null : <Code label={label} text={lines.join('\n')} />;
}

const Body = ({ label, body, none }: { label: string; body: string | null; none: string }): VNode =>
  body === null || body === '' ? <p class="soft small">{none}</p> : <Code label={label} text={body} />;

const phaseNames = [
  ['dns_ms', 'dns', 'DNS'],
  ['connect_ms', 'connect', 'Connect'],
  ['tls_ms', 'tls', 'TLS'],
  ['first_byte_ms', 'first-byte', 'Waiting (TTFB)'],
] as const;

/** Shows the duration of each phase of an attempt, as a bar and in words. */
function Phases({ attempt }: { attempt: WebhookAttempt }): VNode | null {
  const { total_ms } = attempt;
  if (total_ms === null || total_ms <= 0) return null;
  const known = phaseNames.flatMap(([field, kind, label]) => {
    const ms = attempt[field];
    return ms === null ? [] : [{ kind, label, ms }];
  });
  const rest = total_ms - known.reduce((sum, { ms }) => sum + ms, 0);
  const parts = [...known, ...(rest >= 0.05 ? [{ kind: 'rest', label: 'Download', ms: rest }] : [])];
  const whole = Math.max(
    total_ms,
    parts.reduce((sum, { ms }) => sum + ms, 0),
  );
  let at = 0;
  const bars = parts.map(({ kind, ms }) => {
    const width = (ms / whole) * 1000;
    at += width;
    return <rect class={kind} x={(at - width).toFixed(2)} width={width.toFixed(2)} height="10" />;
  });
  return (
    <div>
      <svg class="phases" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        {bars}
      </svg>
      <ul class="legend">
        {parts.map(({ kind, label, ms }) => (
          <li>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <rect class={kind} width="10" height="10" />
            </svg>{' '}
            {label} {duration(ms)}
          </li>
        ))}
        <li>
          <strong>Total {duration(total_ms)}</strong>
        </li>
      </ul>
    </div>
  );
}

const duration = (ms: number): string =>
  ms >= 10_000
    ? `${(ms / 1000).toFixed(0)} s`
    : ms >= 1000
      ? `${(ms / 1000).toFixed(1)} s`
      : `${ms.toFixed(1)} ms`;
