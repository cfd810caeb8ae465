import { AttemptTimeline, maxShownBytes, shownAttempts } from '../../../api/webhooks/pages/attempt-timeline';
import type { ListedAttempt } from '../../../db/webhooks/attempt-history';
import { render } from '../../harness/identity/visitor';
import { cpuMilliseconds } from '../../harness/platform/cpu-time';

/** The most CPU time that rendering the largest page may take. It takes up to 40 ms on an idle machine. */
const limitMs = 100;
const maxRequestBytes = 262_144;

const hostile: [string, (length: number) => string][] = [
  ['markup', (length) => '<'.repeat(length)],
  ['quotes', (length) => '"'.repeat(length)],
  ['lists in lists', (length) => `${'['.repeat(20)}${'0,'.repeat((length - 42) / 2)}0${']'.repeat(20)}`],
  ['empty lists', (length) => `[${'[],'.repeat((length - 3) / 3)}0]`],
  ['short objects', (length) => `[${'{"":0},'.repeat((length - 3) / 7)}0]`],
];

const attempt = (number: number, request_body: string, response_body: string): ListedAttempt => ({
  series: 1,
  attempt: number,
  started_at: '2026-01-15T09:30:00Z',
  outcome: 'acknowledged',
  status: 200,
  error: null,
  triggered_by: null,
  peer_address: null,
  dns_ms: 1,
  connect_ms: 1,
  tls_ms: 1,
  first_byte_ms: 1,
  total_ms: 5,
  request_headers: null,
  request_body,
  response_headers: null,
  response_body,
  is_truncated: false,
  is_left_out: false,
});

describe('the largest timeline of attempts', () => {
  it.each(hostile)('does not block the event loop with %s', (_what, textOf) => {
    const part = maxShownBytes / shownAttempts;
    const many = Array.from({ length: shownAttempts }, (_, each) =>
      attempt(each + 1, textOf(part / 2), textOf(part / 2)),
    );
    // The page shows its first attempt in full, whatever the size of the attempt.
    const large = [attempt(1, textOf(maxRequestBytes), textOf(16_384))];
    for (const timeline of [many, large, [attempt(1, textOf(maxShownBytes - 16_384), textOf(16_384))]]) {
      const ms = cpuMilliseconds(
        () => void render(<AttemptTimeline deliveryId="d" timeline={timeline} names={new Map()} />),
        limitMs / 2,
      );
      expect([ms < limitMs, ms]).toEqual([true, ms]);
    }
  });
});
