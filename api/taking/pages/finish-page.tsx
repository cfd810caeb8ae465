import type { Response } from 'express';
import { Heading, sendInterviewPage } from './layout';
import { Form } from './visit-form';
import type { Visit } from './visit';

/** Asks once whether the candidate wants to end the interview before its last question. */
export function sendFinishPage(response: Response, visit: Visit, hasNoAnswer = false): void {
  const { texts } = visit;
  sendInterviewPage(response, visit, {
    title: texts('finish_title'),
    status: hasNoAnswer ? 422 : 200,
    content: (
      <>
        <Heading>{texts('finish_title')}</Heading>
        {hasNoAnswer && (
          <p class="error" role="alert">
            {texts('error_none_answered')}
          </p>
        )}
        <p>{texts('finish_text')}</p>
        <Form visit={visit} action="finish">
          <div class="buttons">
            <button class="plain">{texts('finish_yes')}</button>
            <a class="button" href={visit.address()}>
              {texts('finish_no')}
            </a>
          </div>
        </Form>
      </>
    ),
  });
}
