import { Router } from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { onlyMethod } from '../../platform/http/only-method';
import { requiredText } from '../../platform/operation/vocabulary';
import { readForm, readTurnId, sentBy } from '../pages/form-input';
import { requireOrigin } from '../pages/requests';
import { maxQuestionCharacters, sendAvatarPage } from './avatar-page';
import { askAvatar, openAvatarVisit, renewVisit } from './avatar-visit';
import type { AvatarDeps, AvatarVisit } from './avatar-visit';
import { countVisit } from './visit-limits';
import type { VisitLimits } from './visit-limits';

const questionText = requiredText(maxQuestionCharacters).refine(
  (text) => text.isWellFormed() && !text.includes('\0'),
);

/**
 * The page on which visitors talk to a public avatar (docs/taking.md#public-avatars). It works without scripts.
 */
export function avatarPages(deps: AvatarDeps & { visitLimits: VisitLimits }): Router {
  const { place, portalOrigin, visitLimits } = deps;
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
      else place.sendMissing(request, response);
    };
  const onlyAvatar =
    (handler: RequestHandler): RequestHandler =>
    (request, response, next) =>
      place.avatarOf(request, response) ? handler(request, response, next) : next();

  router.all(`${place.route}/`, onlyMethod('GET'));
  router.get(
    `${place.route}/`,
    at('avatar-page', (_request, response, visit) => sendAvatarPage(response, visit)),
  );
  for (const action of ['ask', 'new']) {
    router.all(`${place.route}/${action}`, onlyAvatar(onlyMethod('GET', 'POST')));
    router.get(
      `${place.route}/${action}`,
      onlyAvatar((request, response) => response.redirect(303, place.pathOf(request))),
    );
  }
  router.post(
    `${place.route}/ask`,
    onlyAvatar(requireOrigin(portalOrigin)),
    onlyAvatar(readForm),
    at('avatar-ask', async (request, response, visit) => {
      const sent = sentBy(request.body);
      const entered = sent['text'] ?? '';
      const question = questionText.safeParse(entered);
      if (!question.success) {
        sendAvatarPage(response, visit, { status: 422, sent: entered, problem: 'avatar_error' });
        return;
      }
      if (!visit.hasCookie) {
        sendAvatarPage(response, visit, { status: 422, sent: entered, problem: 'embed_cookies' });
        return;
      }
      if (!visit.attempt && !(await countVisit(visitLimits, request, response, visit.page.interview_id))) {
        sendAvatarPage(response, visit, { status: 429, sent: entered, problem: 'avatar_unavailable' });
        return;
      }
      if (await askAvatar(deps, visit, question.data, readTurnId(sent))) {
        response.redirect(303, `${visit.path}#question`);
        return;
      }
      const now = await openAvatarVisit(deps, request, response, 'avatar-ask');
      if (now) sendAvatarPage(response, now, { status: 409, sent: entered });
      else place.sendMissing(request, response);
    }),
  );
  router.post(
    `${place.route}/new`,
    onlyAvatar(requireOrigin(portalOrigin)),
    at('avatar-new', async (request, response, visit) => {
      await renewVisit(deps, request, response);
      response.redirect(303, visit.path);
    }),
  );
  return router;
}
