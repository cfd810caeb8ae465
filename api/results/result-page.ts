import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import { jobInterviewDetails } from './job-interview-details';
import { findSubject } from '../../db/platform/find-subject';
import { findInterviewName } from '../../db/interviews/public';
import type { InterviewName } from '../../db/interviews/public';
import { findHold } from '../../db/webhooks/public';
import type { WebhookHold } from '../../db/webhooks/public';
import { callOperation, replyOf } from '../platform/site/call-operation';
import { deliveryTable, nameDeletedEndpoints, readEndpoints, webhookDeliveryList } from '../webhooks/public';
import { badge, facts, faultBox, panel } from '../platform/site/elements';
import type { Page } from '../platform/site/layout';
import { given, moment } from '../platform/site/list-elements';
import { addResultActs, resultForms } from './result-acts';
import type { RefusedAct } from './result-acts';
import { assessment, mediaOriginsOf, player, transcript } from './result-assessment';
import { candidateName } from './results-page';
import { decisionBadge, number, spoken, standingBadge } from './result-words';
import type { ResultDetails } from './result-words';
import type { Site } from '../platform/site/site';
import { mayChange } from '../platform/site/visitor';
import type { ConsoleDeps, Visit } from '../platform/site/visitor';

const limitDeliveries = 20;

/**
 * Adds the page of one result: the candidate, its state, the assessment and transcript, the decisions, and its
 * announcements.
 */
export function addResultPage(site: Site, deps: ConsoleDeps): void {
  const render = async (visit: Visit, id: string, attempt?: string, refused?: RefusedAct): Promise<Page> => {
    const result: ResultDetails = replyOf(
      await callOperation(deps, visit, jobInterviewDetails, {
        interview_result_id: id,
        get_signed_recordings: 'true',
        ...(attempt ? { attempt } : {}),
      }),
    );
    const [{ hold, interview }, deliveries, { data: endpoints }] = await Promise.all([
      deps.database.read(visit.caller(), async (trx) => ({
        hold: await trx.maybeOne(findHold(id)),
        interview: await trx.maybeOne(findInterviewName(result.interview_id)),
      })),
      callOperation(deps, visit, webhookDeliveryList, {
        result_id: id,
        limit: String(limitDeliveries),
      }),
      readEndpoints(deps, visit),
    ]);
    const announcedBy = deliveries.reply?.data ?? [];
    const deletedNames = await nameDeletedEndpoints(deps, visit, announcedBy, endpoints);
    const isLatest = result.attempt === result.latest_attempt;
    return {
      title: candidateName(result),
      key: 'results',
      status: refused?.fault.status ?? 200,
      mediaOrigins: mediaOriginsOf(result),
      content: html`${refused?.note === undefined ? faultBox(refused?.fault) : null}
        ${attemptsNote(visit, result)}
        <section class="panel">
          <h2>Where it stands</h2>
          <div id="standing" data-live>${standing(visit, result, interview)}</div>
          ${isLatest && mayChange(visit) ? resultForms(visit, result, refused) : null}
        </section>
        ${isLatest ? panel('Announced by webhooks', announced(hold, deliveryTable(visit, announcedBy, endpoints, { deletedNames })), 'deliveries') : null}
        ${panel('Assessment', html`${scores(result)} ${assessment(result)}`)} ${recordings(result)}
        ${panel('Transcript', transcript(result))}`,
    };
  };

  site.page(
    'console-result',
    '/results/:id',
    (visit, { params, query }) => render(visit, params['id'] ?? '', given(query, ['attempt'])['attempt']),
    { subject: findSubject.result },
  );
  addResultActs(site, deps, (visit, id, refused) => render(visit, id, undefined, refused));
}

/** Lists earlier attempts and says which one is shown. */
function attemptsNote(
  visit: Visit,
  { interview_result_id: id, attempt, latest_attempt }: ResultDetails,
): Html | null {
  if (latest_attempt === 1) return null;
  const numbers = Array.from({ length: latest_attempt }, (_, index) => latest_attempt - index);
  return html`<nav aria-label="Attempts">
    <ul class="tabs">
      ${numbers.map(
        (number) =>
          html`<li>
            <a
              href="${visit.href(`/results/${id}`, { attempt: number === latest_attempt ? undefined : number })}"
              ${number === attempt ? html`aria-current="true"` : null}
              >Attempt ${number}${number === latest_attempt ? ', the latest' : ', as it stood'}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

function standing(visit: Visit, result: ResultDetails, interview: InterviewName | undefined): Html {
  const { candidate, result_status, status: interview_status, processing_status } = result;
  return html`<p class="lead">
      ${standingBadge({ status: result_status, interview_status, processing_status })}
      ${decisionBadge(result.recruiter_go_next_round)}
      ${result.recruiter_shortlist ? badge('shortlist', 'warn') : null}
      ${result.is_test ? badge('test') : null}
    </p>
    ${facts([
      ['Candidate', candidate && (candidate.name ?? candidate.email)],
      ['E-mail', candidate && candidate.email],
      candidate?.phone ? ['Phone', candidate.phone] : null,
      candidate?.external_id ? ['external_id', candidate.external_id] : null,
      [
        'Interview',
        html`<a href="${visit.href('/results', { interview_id: result.interview_id })}"
          >${interview?.name ?? result.interview_id}</a
        >`,
      ],
      ['Attempt', result.attempt],
      [
        'States',
        html`<span class="mono"
          >${result_status} · ${interview_status ?? 'not begun'} · ${processing_status ?? 'not scored'}</span
        >`,
      ],
      ['Began', moment(result.start)],
      ['Ended', moment(result.end)],
      ['Submitted', moment(result.submitted_at)],
      ['Took', spoken(result.duration)],
      result.ai_completion_reason ? ['Ended because', result.ai_completion_reason] : null,
      result.user_feedback_recruiter
        ? ['Note', html`<span class="said">${result.user_feedback_recruiter}</span>`]
        : null,
      ['Id', html`<span class="mono">${result.interview_result_id}</span>`],
    ])}`;
}

const announced = (hold: WebhookHold | undefined, deliveries: Html): Html =>
  html`${
    hold
      ? html`<p class="lead warn">
          Held for the PDF since ${moment(hold.held_at)}: what changed
          (${[...new Set(hold.reasons)].join(', ')}) is announced once the PDF is there.
        </p>`
      : null
  }
  ${deliveries}`;

const scores = (result: ResultDetails): Html =>
  html`<div class="two">
    ${facts([
      ['Score', number(result.score)],
      ['In words', result.score_text],
      ["Recruiter's score", number(result.ai_analysis_recruiter_score)],
      ['Simulation, 0 to 10', number(result.score_simulation)],
      ['Answers, 1 to 5', number(result.score_answer)],
    ])}
    ${facts([
      ['Sentiment, −1 to 1', number(result.score_sentiment)],
      ['Words a minute', number(result.score_words_per_minute)],
      ['Pronunciation, of 100', number(result.score_pronunciation)],
      [
        'Coverage',
        result.ai_interview_coverage_percentage === null
          ? null
          : `${number(result.ai_interview_coverage_percentage)} %`,
      ],
    ])}
  </div>`;

function recordings(result: ResultDetails): Html | null {
  const session = player(result.recording_url, result.recording_is_video === true, 'The whole session');
  const introduction = player(result.video_introduction_url, true, 'Video introduction');
  return session || introduction ? panel('Recordings', html`${session} ${introduction}`) : null;
}
