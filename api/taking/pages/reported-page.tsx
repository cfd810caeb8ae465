import type { Response } from 'express';
import { FocusedHeading, sendInterviewPage } from './layout';
import type { InterviewVisit } from './visit';

/** Says that a report of trouble was sent. It is shown in a tab of its own. */
export function sendReportedPage(response: Response, visit: InterviewVisit): void {
  const { texts } = visit;
  sendInterviewPage(response, visit, {
    title: texts('trouble'),
    content: (
      <>
        <FocusedHeading>{texts('trouble')}</FocusedHeading>
        <p role="status">{texts('trouble_sent')}</p>
        <p>
          <a class="button" href={visit.address()}>
            {texts('finish_no')}
          </a>
        </p>
      </>
    ),
  });
}
