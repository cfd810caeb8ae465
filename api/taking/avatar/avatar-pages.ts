import { Router } from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { onlyMethod } from '../../platform/http/only-method';
import { requiredText } from '../../platform/operation/vocabulary';
import { assetRouter } from '../../platform/site/assets';
import { liveConnectionFor } from '../live-place';
import { readForm, readTurnId, readSentFields } from '../pages/form-input';
import { requireSameOrigin } from '../pages/requests';
import { readTurnSpeech } from '../speech';
import { avatarScript } from './avatar-data';
import { maxQuestionCharacters, mayTalk, sendAvatarPage } from './avatar-page';
import { askAvatar, beginTalking, openAvatarVisit, startOver } from './avatar-visit';
import type { AvatarDeps, AvatarVisit } from './avatar-visit';
import { countVisit } from './visit-limits';
import type { VisitLimits } from './visit-limits';

const questionText = requiredText(maxQuestionCharacters).refine(
  (text) => text.isWellFormed() && !text.includes('\0'),
);

/**
 * The page on which visitors ask a public avatar (docs/taking.md#public-avatars). It works without scripts. With them,
 * visitors can talk: `talk` and `speech` are what `live-token` and `turn-speech` are for candidates.
 */
export function avatarPages(deps: AvatarDeps & { visitLimits: VisitLimits }): Router {
  const { entryPoint, portalOrigin, visitLimits, liveOrigin } = deps;
  const router = Router({ strict: false, caseSensitive: true });
  const at =
    (
      operation: string,
      show: (request: Request, response: Response, visit: AvatarVisit) => void | Promise<void>,
    ): RequestHandler =>
    async (request, response, next) => {
      const visit = await openAvatarVisit(deps, request, response, operation);
      if (visit) await show(request, response, visit);
      else if (visit === null) next();
      else entryPoint.sendMissing(request, response);
    };
  const onlyAvatar =
    (handler: RequestHandler): RequestHandler =>
    (request, response, next) =>
      entryPoint.avatarOf(request, response) ? handler(request, response, next) : next();

  router.use(assetRouter([avatarScript]));
  router.all(`${entryPoint.route}/`, onlyMethod('GET'));
  router.get(
    `${entryPoint.route}/`,
    at('avatar-page', (_request, response, visit) => sendAvatarPage(response, visit, liveOrigin)),
  );
  for (const action of ['ask', 'new']) {
    router.all(`${entryPoint.route}/${action}`, onlyAvatar(onlyMethod('GET', 'POST')));
    router.get(
      `${entryPoint.route}/${action}`,
      onlyAvatar((request, response) => response.redirect(303, entryPoint.pathOf(request))),
    );
  }
  router.post(
    `${entryPoint.route}/ask`,
    onlyAvatar(requireSameOrigin(portalOrigin)),
    onlyAvatar(readForm),
    at('avatar-ask', async (request, response, visit) => {
      const sent = readSentFields(request.body);
      const entered = sent['text'] ?? '';
      const question = questionText.safeParse(entered);
      if (!question.success) {
        sendAvatarPage(response, visit, liveOrigin, { status: 422, sent: entered, problem: 'avatar_error' });
        return;
      }
      if (!visit.hasCookie) {
        sendAvatarPage(response, visit, liveOrigin, { status: 422, sent: entered, problem: 'embed_cookies' });
        return;
      }
      if (!visit.attempt && !(await countVisit(visitLimits, request, response, visit.page.interview_id))) {
        sendAvatarPage(response, visit, liveOrigin, {
          status: 429,
          sent: entered,
          problem: 'avatar_unavailable',
        });
        return;
      }
      if (await askAvatar(deps, visit, question.data, readTurnId(sent))) {
        response.redirect(303, `${visit.path}#question`);
        return;
      }
      const now = await openAvatarVisit(deps, request, response, 'avatar-ask');
      if (now) sendAvatarPage(response, now, liveOrigin, { status: 409, sent: entered });
      else entryPoint.sendMissing(request, response);
    }),
  );
  router.post(
    `${entryPoint.route}/new`,
    onlyAvatar(requireSameOrigin(portalOrigin)),
    at('avatar-new', async (request, response, visit) => {
      await startOver(deps, request, response);
      response.redirect(303, visit.path);
    }),
  );
  router.all(`${entryPoint.route}/talk`, onlyAvatar(onlyMethod('POST')));
  router.post(
    `${entryPoint.route}/talk`,
    onlyAvatar(requireSameOrigin(portalOrigin)),
    at('avatar-talk', async (request, response, visit) => {
      const { attempt, page, caller } = visit;
      if (!visit.hasCookie || !mayTalk(visit, liveOrigin)) response.status(409).json({});
      else if (!attempt && !(await countVisit(visitLimits, request, response, page.interview_id)))
        response.status(429).json({});
      else if (!(await beginTalking(deps, visit))) response.status(409).json({});
      else response.json({ live: await liveConnectionFor(deps, caller) });
    }),
  );
  router.all(`${entryPoint.route}/speech`, onlyAvatar(onlyMethod('GET')));
  router.get(
    `${entryPoint.route}/speech`,
    at('avatar-speech', async (request, response, { caller }) => {
      const { turn_id: sent, sound } = request.query;
      const turnId = typeof sent === 'string' ? readTurnId({ turn_id: sent }) : undefined;
      const speech =
        turnId === undefined
          ? null
          : await readTurnSpeech(deps, caller, turnId, sound === 'listening' ? 'listening' : 'turn');
      response.setHeader('cache-control', 'no-store');
      if (speech) response.type('audio/mpeg').send(speech);
      else response.status(204).end();
    }),
  );
  return router;
}
