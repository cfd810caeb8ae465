import { linkEvidence } from '../../../api/results/evidence';
import { Assessment } from '../../../api/results/result-assessment';
import { ResultHistory } from '../../../api/results/result-history';
import type { ScoreReview } from '../../../db/scoring/public';
import { render } from '../../harness/identity/visitor';
import { criterion, noReview, resultOf, run, scored, turn } from './reviewed-result.fixture';

describe('a score that a person has set', () => {
  it('names the person who set a score, and shows the computed score next to it', () => {
    const decided = (question_id: string | null, score: number | null) => ({
      question_id,
      score,
      score_ai: 4.2,
      reason: 'Seen at work.',
      decided_by: 'Olivia Brandt',
      decided_at: '2026-07-01T10:00:02.000Z',
    });
    const result = resultOf({ raw: scored([criterion({})]), more: { score: 7.5 } });
    const html = (decisions: ScoreReview['decisions']) =>
      render(
        <Assessment
          result={result}
          evidence={linkEvidence(result)}
          review={{ ...noReview, decisions }}
          offset={0}
        />,
      );
    expect(html([decided(null, 7.5)])).toContain('Set by <bdi>Olivia Brandt</bdi>');
    expect(html([decided(null, 7.5)])).toContain('The computed score is 6.9 of 10');
    expect(html([decided(turn, 4.2)])).toContain('(set by a person; computed: 4.2)');
    // The latest decision withdraws the earlier one.
    expect(html([decided(null, null), decided(null, 7.5)])).not.toContain('Set by');
    expect(html([])).not.toContain('by a person');
  });

  it('shows no computed score in the form if the AI gave none', () => {
    const result = resultOf({ raw: scored([criterion({})]), more: { score: 8, scoring: null } });
    const decision = {
      question_id: null,
      score: 8,
      score_ai: null,
      reason: 'Heard the recording.',
      decided_by: 'Olivia Brandt',
      decided_at: '2026-07-01T10:00:02.000Z',
    };
    const html = render(
      <Assessment
        result={result}
        evidence={linkEvidence(result)}
        review={{ ...noReview, decisions: [decision] }}
        offset={0}
        forms={{ refused: undefined }}
      />,
    );
    expect(html).toContain('The computed score is missing');
    expect(html).toContain('Computed score: none');
  });
});

describe('the history of a result', () => {
  it('lists who decided what and why, the latest first', () => {
    const act = (name: string, details: object, created_at: string) => ({
      id: name,
      act: name,
      subject_id: 'id',
      details: details as Record<string, unknown>,
      created_at,
      actor_role: 'merchant',
      actor_name: 'Olivia Brandt',
      agent: null,
    });
    const update = { updated_fields: ['recruiter_go_next_round'], recruiter_go_next_round: false };
    const html = render(
      <ResultHistory
        acts={[
          act('job-interview-result-update', update, '2026-07-03T10:00:00.000Z'),
          act('job-interview-result-override-score', {}, '2026-07-02T10:00:00.000Z'),
        ]}
        review={{
          ...noReview,
          runs: [run, { ...run, run: 1, requested_by: null }],
          decisions: [
            {
              question_id: turn,
              score: 5,
              score_ai: 4.2,
              reason: 'Seen <at> work.',
              decided_by: 'Noah Kim',
              decided_at: '2026-07-02T10:00:00.000Z',
            },
          ],
        }}
        messages={[]}
        subject={() => <i>answer</i>}
      />,
    );
    const rows = html.split('<tr>').slice(2);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatch(/title="2026-07-03 10:00:00 UTC".*Olivia Brandt.*Rejected the candidate/);
    expect(rows[1]).toMatch(/Noah Kim.*Set the score to 5 \(computed: 4\.2\).*Seen &lt;at> work\./);
    expect(rows[2]).toContain('Requested scoring 2');
  });
});
