import { z } from 'zod';
import { defineOperation } from '../../platform/operation/define-operation';
import { languageCode, optionalField, requiredText } from '../../platform/operation/vocabulary';
import { attempt, attemptExample } from '../attempt-fields';
import { currentConsentVersion } from '../consent-version';
import { beginAttempt } from '../take-interview';

export const attemptBegin = defineOperation({
  name: 'attempt-begin',
  caller: 'candidate',
  method: 'POST',
  summary: 'Begin an attempt',
  description: `Stores the candidate's consent, begins the attempt that is due and asks its first turn. While an attempt is running or
waits for its submit, the call returns that one.

A 409 has the attempt in \`details\` if it was submitted or no further attempt is left. A 409 also says that the organization has no practice sessions left this month. If \`consent_version\` is not the current one, \`details\` has
one entry with the current \`consent_version\`. A 410 says that the link or the interview has ended.`,
  input: z.object({
    consent: z.literal(true, 'must be true').meta({
      description: 'True: the candidate has consented to the text of `consent_version`.',
    }),
    consent_version: requiredText(50).meta({
      description: 'Version of the text that the candidate has read. It is stored with the attempt.',
    }),
    platform_language_code: optionalField(languageCode).meta({
      description: 'The language of the page. If omitted, it is the language of the interview.',
    }),
  }),
  example: { consent: true, consent_version: currentConsentVersion, platform_language_code: 'en' },
  reply: attempt,
  replyExample: attemptExample,
  statuses: [409, 410],
  handle: ({ input, caller }, deps) =>
    beginAttempt(deps, caller, {
      consentVersion: input.consent_version,
      language: input.platform_language_code ?? null,
    }),
});
