import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { openMessageLink } from '../../db/people/messages';
import { linkLifetimeMs } from '../../db/platform/link-tokens';
import type { OperationDeps } from '../deps';
import { noteFacts } from '../platform/http/request-log';
import { sendInvalidLink } from '../platform/portal/notice';
import { availableUntil } from '../platform/text/available-until';

/**
 * `GET <portal>/m/<code>`: redirects from the short link in a message to the candidate's link, which ends when the link of
 * the mail ends (docs/people.md#messages).
 */
export const openShortLink =
  ({ database, links }: Pick<OperationDeps, 'database' | 'links'>): RequestHandler<{ code: string }> =>
  async (request, response) => {
    const meter = { databaseMs: 0, merchantId: null, callerId: null };
    noteFacts(request, { operation: 'message-link', profileId: null, meter });
    const codeHash = createHash('sha256').update(request.params.code).digest();
    const [link] = await database.query({ kind: 'sign_in', meter }, openMessageLink(codeHash));
    if (!link) {
      sendInvalidLink(request, response);
      return;
    }
    const address = await links.interviewUrl(
      {
        enrolmentId: link.enrolment_id,
        interviewId: link.interview_id,
        generation: link.link_generation,
        isTest: link.is_test,
      },
      {
        availableTill:
          availableUntil(link.interview_available_till) ??
          new Date(Date.parse(link.sent_at) + linkLifetimeMs),
        hideMenu: link.hide_menu,
        hideIframe: link.hide_iframe,
        portalDomain: link.portal_domain,
      },
    );
    response.set('cache-control', 'no-store').redirect(302, address);
  };
