import type { Response } from 'express';
import type { VNode } from 'preact';
import { Cover, JobFacts, CompiledDescription } from '../../catalogue/public';
import { portalTexts } from '../../platform/portal/texts';
import { HiddenFields } from '../../platform/site/buttons';
import { errorAttributes, FieldError } from '../../platform/site/field-error';
import { availableUntil } from '../../platform/text/available-until';
import { writeDuration } from '../../platform/text/text-reader';
import { consentText } from '../consent';
import { currentConsentVersion } from '../consent-version';
import { keepsRecordings, recordedThingsText, recordedThings } from '../recorded-things';
import type { TakingText } from '../texts';
import { candidateAppData } from './app-data';
import { FocusedHeading, NoteLine, sendInterviewPage } from './layout';
import { MoreTime } from './more-time';
import { privacyPath } from './privacy-page';
import { isResumeProblem, ResumeField } from './resume-field';
import { PersonaFacts } from './turn-view';
import type { NoteKey, InterviewVisit } from './visit';
import { VisitForm } from './visit-form';

/**
 * Shows what the candidate must know before beginning, and asks for consent (docs/taking.md#the-page-of-a-link).
 * `problem` is shown next to the checkbox of the consent, or next to the field for the résumé.
 */
export function sendStartPage(
  response: Response,
  visit: InterviewVisit,
  { problem, note }: { problem?: TakingText | undefined; note?: NoteKey | undefined } = {},
): void {
  const { interview, texts } = visit;
  const portal = portalTexts(visit.language, interview.is_practice);
  const merchant = interview.merchant_name;
  const { candidate_name: name } = interview;
  sendInterviewPage(response, visit, {
    title: interview.interview_name,
    hasHeader: false,
    app: interview.recording !== null ? candidateAppData(visit) : undefined,
    status: problem ? 422 : 200,
    hasImages: true,
    content: (
      <>
        <FocusedHeading hasFocus={!problem}>{interview.interview_name}</FocusedHeading>
        <p>{portal('heading', { merchant })}</p>
        {name !== null && <p class="soft">{portal('for_person', { name })}</p>}
        {visit.link.isTest && <p class="note">{portal('test_note')}</p>}
        <NoteLine visit={visit} note={note} />
        <About visit={visit} />
        <p>{texts('by_ai', { merchant })}</p>
        {interview.persona && <PersonaFacts texts={texts} persona={interview.persona} />}
        <Facts visit={visit} />
        <MoreTime visit={visit} />
        <div id="practice" />
        <Consent visit={visit} problem={problem} />
        {!visit.isEmbedded && <p class="soft">{portal('valid_until', { date: lastDay(visit) })}</p>}
      </>
    ),
  });
}

/**
 * Returns the time until which the link works. The interview may end before the link expires, because its end may
 * have been changed after the link was created.
 */
function lastDay({ link, interview }: InterviewVisit): Date {
  const end = availableUntil(interview.interview_available_till);
  return end !== null && end < link.expiresAt ? end : link.expiresAt;
}

/** What the page of the job, or of the session, says about it. */
function About({ visit: { job, language } }: { visit: InterviewVisit }): VNode | null {
  if (!job) return null;
  const { cover_image_url: cover, description, markup } = job;
  return (
    <section id="job" class="job">
      <Cover url={cover} />
      {description && (
        <p class="said" dir="auto">
          {description}
        </p>
      )}
      {job.is_job && (
        <dl>
          <JobFacts job={job} language={language} />
        </dl>
      )}
      {markup && !job.is_job && <CompiledDescription markup={markup} />}
      {markup && job.is_job && (
        <details>
          <summary>{portalTexts(language)('job_about')}</summary>
          <CompiledDescription markup={markup} />
        </details>
      )}
    </section>
  );
}

function Facts({ visit }: { visit: InterviewVisit }): VNode {
  const { interview, texts, language, surroundings, isEmbedded } = visit;
  const merchant = interview.merchant_name;
  return (
    <dl>
      <dt>{texts('how_long')}</dt>
      <dd>
        {writeDuration(Math.ceil(interview.max_seconds / 60), 'minute', language)}
        <span class="soft">{texts('clock_note')}</span>
      </dd>
      {/* A person whom the AI plays reacts to what is said, so the number of lines says little. */}
      {!interview.persona && (
        <>
          <dt>{texts('how_many')}</dt>
          <dd>{interview.question_count}</dd>
        </>
      )}
      <dt>{texts('recorded')}</dt>
      <dd>
        <ul>
          {recordedThings([interview.recordings]).map((key) => (
            <li>{texts(key)}</li>
          ))}
        </ul>
      </dd>
      <dt>{texts('assessed')}</dt>
      <dd>
        <ul>
          <li>{texts('assessed_answers')}</li>
          {(interview.topics ?? []).map((topic) => (
            <li>
              <bdi>{topic}</bdi>
            </li>
          ))}
          {interview.assessed.map((one) => (
            <li>{texts(`assessed_${one}`)}</li>
          ))}
          {interview.recordings.asks_resume && <li>{texts('recorded_resume')}</li>}
        </ul>
      </dd>
      <dt>{texts('who_sees')}</dt>
      <dd>{texts('sees_team', { merchant })}</dd>
      <dt>{texts('kept')}</dt>
      <dd>
        {keepsRecordings(interview.recordings) && (
          <span class="line">
            {texts('kept_recordings', { duration: { value: interview.recording_days, unit: 'day' } })}
          </span>
        )}
        {interview.recordings.asks_resume && (
          <span class="line">
            {texts('kept_resume', { duration: { value: interview.recording_days, unit: 'day' } })}
          </span>
        )}
        <span class="line">
          {texts('kept_answers', { duration: { value: interview.result_days, unit: 'day' } })}
        </span>
        <a
          class="line"
          href={privacyPath(surroundings.merchant_id, language, interview.is_practice)}
          target={isEmbedded ? '_blank' : undefined}
        >
          {texts('privacy_title')}
        </a>
      </dd>
    </dl>
  );
}

/**
 * Asks for consent, or says that no practice session is left. The page of an attempt that has ended asks again for the next
 * one, with the facts that the consent names.
 */
export function Consent({
  visit,
  problem,
}: {
  visit: InterviewVisit;
  problem?: TakingText | undefined;
}): VNode {
  const { texts, interview, language } = visit;
  const { text, agree } = consentText(language, interview.is_practice);
  const ownProblem = isResumeProblem(problem) ? undefined : problem;
  if (!interview.has_practice_left) return <p class="state">{portalTexts(language)('practice_used_up')}</p>;
  return (
    <section id="consent">
      {visit.attempt && interview.persona && <PersonaFacts texts={texts} persona={interview.persona} />}
      <h2>{texts('consent_title')}</h2>
      {visit.attempt && <Facts visit={visit} />}
      <p>{text}</p>
      <VisitForm visit={visit} action="begin" isUpload={interview.recordings.asks_resume}>
        <HiddenFields
          fields={{
            consent_version: currentConsentVersion,
            recorded: recordedThingsText(interview.recordings),
          }}
        />
        <ResumeField visit={visit} problem={problem} />
        {ownProblem && <FieldError id="problem">{texts(ownProblem)}</FieldError>}
        <label class="choice">
          <input
            type="checkbox"
            name="consent"
            value="true"
            required
            checked={isResumeProblem(problem)}
            {...errorAttributes(ownProblem && 'problem')}
          />
          <span>{agree}</span>
        </label>
        <button>{texts('begin')}</button>
      </VisitForm>
      <details>
        <summary>{texts('person')}</summary>
        <p>{texts('person_text', { merchant: interview.merchant_name })}</p>
      </details>
    </section>
  );
}
