import type { Request, RequestHandler, Response } from 'express';
import type { VNode } from 'preact';
import { isCredentialError } from '../../../db/platform/database';
import type { RequestMeter } from '../../../db/platform/database';
import { languageCodes } from '../../../db/platform/vocabulary';
import type { LanguageCode } from '../../../db/platform/vocabulary';
import { findPrivacyFacts } from '../../../db/taking/surroundings';
import type { PrivacyFacts } from '../../../db/taking/surroundings';
import type { OperationDeps } from '../../deps';
import { noteFacts } from '../../platform/http/request-log';
import { uuid } from '../../platform/operation/vocabulary';
import { browserLanguage } from '../../platform/portal/browser-language';
import { sendInvalidLink } from '../../platform/portal/notice';
import { portalDomainOf } from '../../platform/portal/portal-domain';
import { sendDocument } from '../../platform/site/document';
import { portalStyle } from '../../platform/site/site-assets';
import { htmlLanguage } from '../../platform/text/html';
import { httpsUrl } from '../../platform/text/https-url';
import { takingTexts } from '../texts';
import type { TakingTexts } from '../texts';
import { interviewStyle } from './layout';

/** The path of the privacy notices, for the router. */
export const privacyRoute = '/interview/privacy/:merchant_id';

/** Returns the path of a merchant's privacy notice in this language, for learners if `isPractice` is true. */
export const privacyPath = (merchantId: string, language: LanguageCode, isPractice = false): string =>
  `/interview/privacy/${merchantId}/?language=${language}${isPractice ? '&practice=true' : ''}`;

/**
 * Shows the privacy notice of a merchant: what is recorded, why, who sees it and for how long it is kept
 * (docs/taking.md#privacy-notice). A portal domain shows only the notice of its own merchant. The notice is public,
 * so it says nothing about a single interview or candidate.
 */
export const privacyPage =
  ({ database, portalOrigin }: Pick<OperationDeps, 'database'> & { portalOrigin: string }): RequestHandler =>
  async (request, response) => {
    const meter: RequestMeter = { databaseMs: 0, merchantId: null, callerId: null };
    noteFacts(request, { operation: 'privacy-page', profileId: null, meter });
    const merchantId = uuid.safeParse(request.params['merchant_id']).data?.toLowerCase();
    const domain = portalDomainOf(request, portalOrigin);
    const [facts] =
      merchantId === undefined
        ? []
        : await database
            .query({ kind: 'portal_visit', domain, merchantId, profileId: null, meter }, findPrivacyFacts)
            .catch((error: unknown) => {
              if (isCredentialError(error)) return [];
              throw error;
            });
    if (facts && facts.merchant_id === merchantId) sendPrivacyPage(request, response, facts);
    else sendInvalidLink(request, response);
  };

function sendPrivacyPage(request: Request, response: Response, facts: PrivacyFacts): void {
  const language =
    languageCodes.find((code) => code === request.query['language']) ?? browserLanguage(request);
  const texts = takingTexts(language, request.query['practice'] === 'true');
  sendDocument(response, {
    ...htmlLanguage(language),
    title: `${texts('privacy_title')} – ${facts.name}`,
    styles: [portalStyle, interviewStyle],
    body: (
      <main class="interview">
        <h1>{texts('privacy_title')}</h1>
        <p>{texts('privacy_lead', { merchant: facts.name })}</p>
        <Notice facts={facts} texts={texts} />
      </main>
    ),
  });
}

function Notice({ facts, texts }: { facts: PrivacyFacts; texts: TakingTexts }): VNode {
  const merchant = facts.name;
  const days = (value: number) => ({ duration: { value, unit: 'day' as const } });
  return (
    <dl>
      <dt>{texts('recorded')}</dt>
      <dd>
        <ul>
          <li>{texts('privacy_recorded')}</li>
          <li>{texts('privacy_media')}</li>
          <li>{texts('privacy_resume')}</li>
        </ul>
      </dd>
      <dt>{texts('privacy_why')}</dt>
      <dd>{texts('privacy_why_text', { merchant })}</dd>
      <dt>{texts('who_sees')}</dt>
      <dd>{texts('sees_team', { merchant })}</dd>
      <dt>{texts('kept')}</dt>
      <dd>
        <span class="line">{texts('kept_recordings', days(facts.recording_retention_days))}</span>
        <span class="line">{texts('kept_resume', days(facts.recording_retention_days))}</span>
        <span class="line">{texts('kept_drafts', days(facts.draft_retention_days))}</span>
        <span class="line">{texts('kept_answers', days(facts.result_retention_days))}</span>
      </dd>
      <dt>{texts('privacy_ai')}</dt>
      <dd>{texts('privacy_ai_text', { merchant })}</dd>
      <dt>{texts('privacy_rights')}</dt>
      <dd>{texts('privacy_rights_text', { merchant })}</dd>
      <dt>{texts('privacy_contact')}</dt>
      <dd>
        {facts.privacy_contact === null ? (
          texts('privacy_contact_none', { merchant })
        ) : (
          <Contact contact={facts.privacy_contact} />
        )}
      </dd>
    </dl>
  );
}

/** Shows the contact, as a link if it is an email address or an https address. */
function Contact({ contact }: { contact: string }): VNode {
  const href = /^[^\s@/?#:]+@[^\s@/?#:]+$/.test(contact)
    ? `mailto:${contact}`
    : httpsUrl.safeParse(contact).success
      ? contact
      : undefined;
  return href === undefined ? (
    <bdi>{contact}</bdi>
  ) : (
    <a href={href} rel="noreferrer">
      <bdi>{contact}</bdi>
    </a>
  );
}
