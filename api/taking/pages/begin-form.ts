import type { RequestHandler, Response } from 'express';
import { toApiError } from '../../platform/http/error-reply';
import { readInTurn } from '../../platform/http/large-bodies';
import { filesOf, uploadReader } from '../../platform/http/upload-body';
import { readResume } from '../read-resume';
import { recordedThingsText } from '../recorded-things';
import { maxResumeBytes } from '../resume-kinds';
import { storeReadResume } from '../resumes';
import { beginAttempt } from '../take-interview';
import type { TakingText } from '../texts';
import { readShortForm } from './form-input';
import type { SentFields } from './form-input';
import { runForOutcome } from './requests';
import type { FormOutcome } from './requests';
import { showVisit } from './show-visit';
import { openInterviewVisit } from './visit';
import type { InterviewVisit, VisitDeps } from './visit';

/** The other fields of the form take less than 2 KB. */
const readUpload = uploadReader(maxResumeBytes + 16_384);

/**
 * Reads the form that begins an attempt. A form with a file is read only for a link that exists, because its body is large.
 * A file that is too large for the form is shown as a problem of the page.
 */
export const beginFormReader =
  (deps: VisitDeps): RequestHandler =>
  async (request, response, next) => {
    if (!request.is('multipart/form-data')) {
      readShortForm(request, response, next);
      return;
    }
    const visit = await openInterviewVisit(deps, request, 'interview-begin');
    if (!visit) {
      deps.entryPoint.sendMissing(request, response);
      return;
    }
    try {
      await readInTurn(request, visit.caller.enrolmentId, () =>
        readUpload(request, response, () => undefined),
      );
    } catch (error) {
      if (toApiError(error).status !== 413) throw error;
      showVisit(response, visit, { problem: 'error_resume_size' });
      return;
    }
    next();
  };

/**
 * Begins an attempt, with the résumé if one was sent. The text of the résumé is read first, so that a file that is not
 * accepted costs no time of the interview.
 */
export async function handleBeginForm(
  deps: VisitDeps,
  visit: InterviewVisit,
  sent: SentFields,
  response: Response,
): Promise<FormOutcome> {
  const file = visit.interview.recordings.asks_resume ? filesOf(response)['resume'] : undefined;
  const refuse = (problem: TakingText): 'shown' => {
    showVisit(response, { ...visit, sentResume: file !== undefined }, { problem });
    return 'shown';
  };
  if (sent['consent'] !== 'true') return refuse('error_consent');
  const read = file && (await readResume(file.content, visit.caller.enrolmentId));
  if (read && 'problem' in read) return refuse(`error_resume_${read.problem}`);
  const outcome = await runForOutcome(async () => {
    // Who was shown other recordings than would be made now is asked again, as after a change of the text.
    const recorded = recordedThingsText(visit.interview.recordings);
    const wasShown = (sent['recorded'] ?? recorded) === recorded;
    const consentVersion = wasShown ? (sent['consent_version'] ?? '') : '';
    await beginAttempt(deps, visit.caller, { consentVersion, language: visit.language });
    if (file && read)
      await storeReadResume(deps, visit.caller, { name: file.name, file: file.content }, read);
  });
  return outcome === 'done' && read?.text === null ? 'resume_without_text' : outcome;
}
