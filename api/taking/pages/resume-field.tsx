import type { VNode } from 'preact';
import { errorAttributes, FieldError } from '../../platform/site/field-error';
import type { TakingText } from '../texts';
import type { InterviewVisit } from './visit';

/** The problems with a form that belong to the file, not to the consent. */
export const isResumeProblem = (problem: TakingText | undefined): boolean =>
  problem?.startsWith('error_resume_') === true;

/**
 * Asks for a résumé, if the interview does. `problem` is what was wrong with the form that was sent. A browser does not
 * keep the file for another try.
 */
export function ResumeField({
  visit: { interview, texts, sentResume },
  problem,
}: {
  visit: InterviewVisit;
  problem: TakingText | undefined;
}): VNode | null {
  if (!interview.recordings.asks_resume) return null;
  const own = isResumeProblem(problem) ? problem : sentResume && problem ? 'resume_again' : undefined;
  const marks = errorAttributes(own && 'resume-problem', isResumeProblem(problem));
  return (
    <div class="file-field">
      <label for="resume">{texts('resume')}</label>
      {own && <FieldError id="resume-problem">{texts(own)}</FieldError>}
      <input
        type="file"
        id="resume"
        name="resume"
        accept=".pdf,.docx,.txt,application/pdf,text/plain,application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        {...marks}
        aria-describedby={own ? 'resume-problem resume-hint' : 'resume-hint'}
      />
      <span class="soft" id="resume-hint">
        {texts('resume_hint')}
      </span>
    </div>
  );
}
