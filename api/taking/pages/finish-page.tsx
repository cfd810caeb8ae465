import type { Response } from 'express';
import { HiddenFields } from '../../platform/site/buttons';
import type { SentFields } from './form-input';
import { FocusedHeading, sendInterviewPage } from './layout';
import type { InterviewVisit } from './visit';
import { VisitForm } from './visit-form';

/**
 * Asks once whether the candidate wants to end the interview before its last question. `entered` is what the candidate
 * has entered for the open question, which both buttons send again.
 */
export function sendFinishPage(
  response: Response,
  visit: InterviewVisit,
  { entered, hasNoAnswer = false }: { entered?: SentFields | undefined; hasNoAnswer?: boolean } = {},
): void {
  const { texts } = visit;
  sendInterviewPage(response, visit, {
    title: texts('finish_title'),
    status: hasNoAnswer ? 422 : 200,
    content: (
      <>
        <FocusedHeading>{texts('finish_title')}</FocusedHeading>
        {hasNoAnswer && (
          <p class="error" role="alert">
            {texts('error_none_answered')}
          </p>
        )}
        <p>{texts('finish_text')}</p>
        {entered && <p class="note">{texts('finish_answer')}</p>}
        <VisitForm visit={visit} action="finish">
          {entered &&
            (['turn_id', 'text', 'choice'] as const).map((name) => {
              const value = entered[name];
              return value === undefined ? null : <HiddenFields fields={{ [name]: value }} />;
            })}
          <div class="buttons">
            <button class="plain">{texts('finish_yes')}</button>
            {entered ? (
              <button name="back" value="true">
                {texts('finish_no')}
              </button>
            ) : (
              <a class="button" href={visit.address()}>
                {texts('finish_no')}
              </a>
            )}
          </div>
        </VisitForm>
      </>
    ),
  });
}
