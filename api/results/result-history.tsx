import type { ComponentChildren, VNode } from 'preact';
import type { CandidateMessage } from '../../db/people/public';
import type { AuditEntry } from '../../db/platform/audit';
import type { ScoreReview } from '../../db/scoring/public';
import { Panel, Table, Time } from '../platform/site/elements';
import { whoDid } from '../platform/site/who-did';
import { roundedText } from './result-words';
import type { RenderSubject } from './scoring-record';

type Entry = { at: string; who: string; what: ComponentChildren; reason?: string | null };

/**
 * Lists who decided what about a result and when, the latest first. Scores that people set and requested scorings
 * come from `review`, which has their reasons. Other decisions come from `acts`, the audit entries about the result.
 */
export function ResultHistory(props: {
  acts: readonly AuditEntry[];
  review: ScoreReview;
  messages: readonly CandidateMessage[];
  subject: RenderSubject;
}): VNode {
  const { acts, review, messages, subject } = props;
  const entries: Entry[] = [
    ...review.decisions.map(({ question_id, score, score_ai, reason, decided_by, decided_at }) => ({
      at: decided_at,
      who: decided_by ?? 'A person',
      what: (
        <>
          {score === null ? 'Restored the computed score' : `Set the score to ${roundedText(score)}`}
          {score_ai !== null && ` (computed: ${roundedText(score_ai)})`}: {subject(question_id)}
        </>
      ),
      reason,
    })),
    ...review.runs.flatMap(({ run, requested_by, requested_at }) =>
      requested_by === null
        ? []
        : [{ at: requested_at, who: requested_by, what: `Requested scoring ${run}` }],
    ),
    ...messages.flatMap(({ kind, created_at, text }) =>
      kind === 'human_review'
        ? [{ at: created_at, who: 'The candidate', what: 'Asked for a review by a person', reason: text }]
        : [],
    ),
    ...acts.flatMap((act) => {
      const what = describeEntry(act);
      return what === undefined ? [] : [{ at: act.created_at, who: whoDid(act), what }];
    }),
  ];
  return (
    <Panel title="Who decided what">
      <Table
        caption="Who decided what"
        columns={['Time', 'Person', 'Decision', 'Reason']}
        rows={entries
          .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
          .map(({ at, who, what, reason }) => [
            <Time at={at} />,
            <bdi>{who}</bdi>,
            what,
            reason ? <span class="said">{reason}</span> : null,
          ])}
        empty="No decisions yet."
      />
    </Panel>
  );
}

const verdicts = new Map<unknown, string>([
  [true, 'Advanced the candidate'],
  [false, 'Rejected the candidate'],
  [null, 'Cleared the decision'],
]);

/** Describes an audit entry, or returns undefined if another row of the list describes the same decision. */
function describeEntry({ act, details }: AuditEntry): string | undefined {
  switch (act) {
    case 'job-interview-result-update':
      return describeUpdate(details);
    case 'job-interview-result-request-another-attempt':
      return 'Requested another attempt';
    case 'result-attempt-grant':
      return 'Granted another attempt';
    case 'result-pdf-create':
      return 'Created the PDF again';
    case 'human-review-answer':
      return 'Answered the request for a review by a person';
    default:
      return undefined;
  }
}

function describeUpdate({ updated_fields, ...details }: AuditEntry['details']): string | undefined {
  const changed: unknown[] = Array.isArray(updated_fields) ? updated_fields : [];
  const words = [
    changed.includes('recruiter_go_next_round') && verdicts.get(details['recruiter_go_next_round']),
    changed.includes('recruiter_shortlist') &&
      (details['recruiter_shortlist'] === true ? 'Added to the shortlist' : 'Removed from the shortlist'),
    changed.includes('stage') &&
      (typeof details['stage'] === 'string' ? `Set the stage to ${details['stage']}` : 'Cleared the stage'),
    changed.includes('user_feedback_recruiter') && 'Changed the note',
    changed.includes('recruiter_risks') && 'Changed the risks',
  ].filter(Boolean);
  return words.length > 0 ? words.join('. ') : undefined;
}
