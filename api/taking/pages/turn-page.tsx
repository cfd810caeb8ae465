import type { Response } from 'express';
import { HiddenFields } from '../../platform/site/buttons';
import { questionVideoAddress } from '../video-address';
import type { RejectedAnswer } from './answer-field';
import { candidateAppData } from './app-data';
import { FocusedHeading, NoteLine, sendInterviewPage } from './layout';
import {
  AnswerFields,
  turnCountText,
  Progress,
  Question,
  StoppedNote,
  timeLeft,
  PersonaDetails,
} from './turn-view';
import type { NoteKey, InterviewVisit } from './visit';
import { VisitForm } from './visit-form';

/** Shows the open turn, or says that the next one is being decided. */
export function sendTurnPage(
  response: Response,
  visit: InterviewVisit,
  { refused, note }: { refused?: RejectedAnswer | undefined; note?: NoteKey | undefined } = {},
): void {
  const { texts, attempt, interview } = visit;
  const turn = attempt?.turn;
  if (!attempt || !turn) {
    sendWaitingPage(response, visit, 'wait_text', 2);
    return;
  }
  const counted = turnCountText(texts, turn);
  const own = turn.kind === 'introduction' ? texts('introduction') : interview.interview_name;
  sendInterviewPage(response, visit, {
    title: counted ?? own,
    // A form that was sent shows that this browser does not run the app, so this page does not start it either.
    app: refused ? undefined : candidateAppData(visit, note),
    status: refused?.problem ? 422 : 200,
    content: (
      <>
        <Progress
          texts={texts}
          steps={attempt.steps}
          counted={counted}
          time={timeLeft(texts, attempt.remaining_ms)}
        />
        <NoteLine visit={visit} note={note} />
        <StoppedNote texts={texts} because={attempt.stopped_because} />
        <Question
          texts={texts}
          turn={turn}
          hasFocus={!refused?.problem}
          video={turn.video ? questionVideoAddress(visit.address('video'), turn.turn_id) : undefined}
        />
        <VisitForm visit={visit} action="answer" id="turn">
          <HiddenFields fields={{ turn_id: turn.turn_id }} />
          <AnswerFields texts={texts} turn={turn} canEdit={interview.can_edit} refused={refused} />
        </VisitForm>
        {interview.session_recording !== null && <p class="soft small">{texts('session_not_recorded')}</p>}
        <PersonaDetails texts={texts} persona={attempt.persona} />
        {attempt.steps.done > 0 && (
          <p class="quiet">
            {/* The button sends the form, so that what was entered is not lost. */}
            <button class="plain" form="turn" formaction={visit.address('finish')} name="ask" value="true">
              {texts('finish')}
            </button>
          </p>
        )}
      </>
    ),
  });
}

/**
 * Shows a page that reloads by itself until there is a turn or the attempt has ended. `longestWait` is in minutes,
 * and is shown if it is set.
 */
export const sendWaitingPage = (
  response: Response,
  visit: InterviewVisit,
  text: 'wait_text' | 'time_is_over',
  reloadAfter: number,
  longestWait?: number,
): void =>
  sendInterviewPage(response, visit, {
    title: visit.texts(text === 'wait_text' ? 'wait_title' : 'closed_title'),
    reloadAfter,
    content: (
      <>
        <FocusedHeading>{visit.texts(text === 'wait_text' ? 'wait_title' : 'closed_title')}</FocusedHeading>
        <p role="status">{visit.texts(text)}</p>
        {longestWait !== undefined && (
          <p>{visit.texts('longest_wait', { duration: { value: longestWait, unit: 'minute' } })}</p>
        )}
        <p>
          <a class="button" href={visit.address()}>
            {visit.texts('reload')}
          </a>
        </p>
      </>
    ),
  });
