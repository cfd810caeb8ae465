import type { Response } from 'express';
import type { EmbedPage } from '../../../db/taking/embeds';
import { sendPage } from '../../platform/portal/page';
import { portalTexts } from '../../platform/portal/texts';
import { availableUntil } from '../../platform/text/available-until';
import type { TakingText } from '../texts';
import { takingTexts } from '../texts';

/**
 * Why an embedded interview is not shown. The page also shows this code, such as `key_revoked`, for the developers of
 * the embedding site.
 */
export type EmbedProblem = keyof typeof texts | 'not_open' | 'closed' | 'over';

const texts = {
  key_revoked: 'embed_revoked',
  not_public: 'embed_not_public',
  signature_invalid: 'embed_invalid',
  claims_invalid: 'embed_invalid',
  external_id_taken: 'embed_invalid',
  token_expired: 'embed_expired',
  token_used: 'embed_used',
  cookie_missing: 'embed_cookies',
} as const satisfies Record<string, TakingText>;

const statuses: Partial<Record<EmbedProblem, number>> = {
  external_id_taken: 409,
  not_open: 404,
  not_public: 404,
  closed: 410,
  over: 410,
};

/** Sends the page that says why the interview is not shown, in the language of the interview. */
export function sendEmbedNotice(
  response: Response,
  { platform_language_code: language, interview_available_till: till, is_practice }: EmbedPage,
  problem: EmbedProblem,
  detail?: string,
): void {
  const title = takingTexts(language)('embed_title');
  sendPage(response, statuses[problem] ?? 401, {
    language,
    title,
    content: (
      <>
        <h1>{title}</h1>
        <p>{textOf(problem)}</p>
        <p class="soft small" lang="en" dir="ltr">
          {detail === undefined ? problem : `${problem}: ${detail}`}
        </p>
      </>
    ),
  });

  function textOf(problem: EmbedProblem): string {
    if (problem === 'not_open' || problem === 'closed' || problem === 'over')
      return portalTexts(language, is_practice)(problem, { date: availableUntil(till) ?? new Date() });
    return takingTexts(language)(texts[problem]);
  }
}
