import { Router } from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { onlyMethod } from '../../platform/http/only-method';
import { assetRouter } from '../../platform/site/assets';
import { answerTurn } from '../take-interview';
import { sendAnswersFile } from './answers-file';
import { conversationScript, earScript, figureScript } from './app-data';
import { beginFormReader, handleBeginForm } from './begin-form';
import { sendOtherCandidate } from './end-page';
import { handleFinishForm } from './finish-form';
import { sendFinishPage } from './finish-page';
import {
  readAnswer,
  readForm,
  readReviewForm,
  readShortForm,
  readTurnId,
  readSentFields,
  readSentTexts,
} from './form-input';
import type { SentFields } from './form-input';
import { interviewScript, interviewStyle } from './layout';
import { messageActions, messageKinds } from './message-input';
import { privacyPage, privacyRoute } from './privacy-page';
import { sendQuestionVideo } from './question-video';
import { sendReportedPage } from './reported-page';
import { runForOutcome, requireSameOrigin } from './requests';
import type { FormOutcome } from './requests';
import { handleReviewForm } from './review-form';
import { sendMessage } from './send-message';
import { isAttemptRunning, showVisit } from './show-visit';
import { sendTurnPage } from './turn-page';
import { noteOf, openInterviewVisit } from './visit';
import type { InterviewVisit, VisitDeps } from './visit';

/** The pages on which a candidate takes an interview. All of them work without scripts (docs/taking.md#pages). */
export function interviewPages(deps: VisitDeps): Router {
  const router = Router({ strict: false, caseSensitive: true });
  const { route } = deps.entryPoint;
  const page = (
    path: string,
    show: (request: Request, response: Response, visit: InterviewVisit) => void | Promise<void>,
  ) =>
    router.get(`${route}/${path}`, async (request, response) => {
      const visit = await openInterviewVisit(deps, request, 'interview-page');
      if (visit) await show(request, response, visit);
      else deps.entryPoint.sendMissing(request, response);
    });
  /**
   * Adds the handler of a form. `run` returns `shown` if it has sent a page itself. Otherwise it returns `done` or
   * the message for the next page, to which the browser is redirected. If a text was not stored, the next page is
   * sent without a redirect and shows the text again.
   */
  const act = (
    action: string,
    readBody: RequestHandler,
    run: (visit: InterviewVisit, sent: SentFields, response: Response) => Promise<FormOutcome>,
  ) =>
    router.post(
      `${route}/${action}`,
      requireSameOrigin(deps.portalOrigin),
      readBody,
      async (request, response) => {
        const visit = await openInterviewVisit(deps, request, `interview-${action}`);
        if (!visit) {
          deps.entryPoint.sendMissing(request, response);
          return;
        }
        const sent = readSentFields(request.body);
        const texts = readSentTexts(request.body);
        const unsent = texts.length > 0 ? { unsent: texts } : undefined;
        // The field `for` names the candidate's enrolment. It differs from the cookie's enrolment if another
        // candidate's link was opened in this browser after the form.
        if (sent['for'] !== visit.caller.enrolmentId) {
          sendOtherCandidate(response, { ...visit, ...unsent });
          return;
        }
        const outcome = await run(visit, sent, response);
        if (outcome === 'shown') return;
        if (action === messageActions.trouble && outcome === 'sent') {
          response.redirect(303, visit.address('reported'));
          return;
        }
        const note = outcome === 'done' ? undefined : outcome;
        const isStored = outcome === 'done' || outcome === 'saved' || outcome === 'sent';
        const now = unsent && !isStored && (await openInterviewVisit(deps, request, `interview-${action}`));
        if (now) showVisit(response, { ...now, ...unsent }, { note });
        else response.redirect(303, visit.address('', note));
      },
    );

  router.use(assetRouter([interviewStyle, interviewScript, figureScript, conversationScript, earScript]));
  router.all(`${route}/`, onlyMethod('GET'));
  for (const path of ['reported', 'answers', 'video']) router.all(`${route}/${path}`, onlyMethod('GET'));
  router.all(`${route}/finish`, onlyMethod('GET', 'POST'));
  for (const action of ['begin', 'answer', 'edit', 'submit', ...Object.values(messageActions)])
    router.all(`${route}/${action}`, onlyMethod('GET', 'POST'));

  router.all(`${privacyRoute}/`, onlyMethod('GET'));
  router.get(`${privacyRoute}/`, privacyPage(deps));

  page('', (request, response, visit) => showVisit(response, visit, { note: noteOf(request) }));
  page('finish', (_request, response, visit) => {
    if (isAttemptRunning(visit)) sendFinishPage(response, visit);
    else response.redirect(303, visit.address());
  });
  page('reported', (_request, response, visit) => sendReportedPage(response, visit));
  page('answers', async (_request, response, visit) => {
    if (!(await sendAnswersFile(deps, response, visit))) response.redirect(303, visit.address());
  });
  page('video', (request, response, visit) => sendQuestionVideo(deps, request, response, visit));
  // Handles a GET of a form's address, for example when a candidate opens the address of a rejected form again.
  page(':action', (_request, response, visit) => response.redirect(303, visit.address()));

  act('begin', beginFormReader(deps), (visit, sent, response) =>
    handleBeginForm(deps, visit, sent, response),
  );
  act('answer', readForm, async (visit, sent, response) => {
    const open = visit.attempt?.turn ?? undefined;
    const turnId = readTurnId(sent);
    if (turnId === undefined) return 'error_form';
    const turn = open?.turn_id === turnId ? open : undefined;
    const read = readAnswer(sent, turn);
    if ('answer' in read) return runForOutcome(() => answerTurn(deps, visit.caller, turnId, read.answer));
    if (!turn) return 'already_answered';
    sendTurnPage(response, visit, { refused: { problem: read.problem, sent: sent['text'] ?? '' } });
    return 'shown';
  });
  act('finish', readForm, (visit, sent, response) => handleFinishForm(deps, visit, sent, response));
  act('edit', readReviewForm, (visit, _sent, response) => handleReviewForm(deps, visit, response, false));
  act('submit', readReviewForm, (visit, _sent, response) => handleReviewForm(deps, visit, response, true));
  for (const kind of messageKinds)
    act(messageActions[kind], readShortForm, (visit, sent, response) =>
      sendMessage(deps, kind, { visit, sent, response }),
    );
  return router;
}
