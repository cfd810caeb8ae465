import type { VNode } from 'preact';
import type { InterviewName } from '../../db/interviews/public';
import { Facts, Link, Mono, TimeWithRelative } from '../platform/site/elements';
import { completionReasonNames, duration, stopReasonNames } from './result-words';
import type { ResultDetails } from './result-words';

type FactsProps = {
  result: ResultDetails;
  interview: InterviewName | undefined;
  cost: number | null;
};
/** Shows who took the interview, when, and what the attempt cost. `cost` is null for people who do not see credits. */
export function ResultFacts({ result, interview, cost }: FactsProps): VNode {
  const { candidate, result_status, status, processing_status } = result;
  const states = [result_status, status ?? 'not started', processing_status ?? 'not scored'];
  return (
    <Facts
      entries={[
        ['Candidate', candidate && (candidate.name ?? candidate.email)],
        ['Email', candidate && candidate.email],
        Boolean(candidate?.phone) && ['Phone', candidate?.phone],
        Boolean(candidate?.external_id) && ['External ID', candidate?.external_id],
        [
          'Interview',
          <Link to="/results" query={{ interview_id: result.interview_id }}>
            {interview?.name ?? result.interview_id}
          </Link>,
        ],
        ['Attempt', result.attempt],
        ['Started', <TimeWithRelative at={result.start} />],
        ['Ended', <TimeWithRelative at={result.end} />],
        ['Submitted', <TimeWithRelative at={result.submitted_at} />],
        ['Duration', duration(result.duration)],
        cost !== null && [
          'Cost',
          <Link to="/usage">
            {cost === 0 ? 'Nothing charged' : `${cost} ${cost === 1 ? 'credit' : 'credits'}`}
          </Link>,
        ],
        result.ai_completion_reason !== null && [
          'Completion reason',
          result.stopped_because
            ? stopReasonNames[result.stopped_because]
            : completionReasonNames[result.ai_completion_reason],
        ],
        Boolean(result.user_feedback_recruiter) && [
          'Note',
          <span class="said">{result.user_feedback_recruiter}</span>,
        ],
        ['API states', <Mono>{states.join(' · ')}</Mono>],
        ['ID', <Mono>{result.interview_result_id}</Mono>],
      ]}
    />
  );
}
