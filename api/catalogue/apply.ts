import type { RequestHandler } from 'express';
import { applyForJob } from '../../db/catalogue/jobs';
import type { ApplicationOutcome } from '../../db/catalogue/jobs';
import { emailKey } from '../../db/people/public';
import type { Database } from '../../db/platform/database';
import { candidateRow, maxMailsPerPerson } from '../people/public';
import { addressOf } from '../platform/http/address-limit';
import { limitError } from '../platform/http/rate-limit';
import type { CreateLimit } from '../platform/http/rate-limit';
import { sendMissingPage } from '../platform/portal/notice';
import { currentConsent, requestedLanguage, sendJobPage, slugOf } from './job-page';
import type { JobDeps, RejectedApplication } from './job-page';

/** The limits of applications from one address, for one job, and of one person for one job. */
export type ApplicationLimits = ReturnType<typeof createApplicationLimits>;

const applicationsPerAddress = 10;
const daySeconds = 86_400;

/**
 * Creates the limits of applications. `perJob` and `perAddress` are those of a day, or 0 for no limit. `isLimited` is false if
 * addresses are not limited.
 */
export const createApplicationLimits = (
  createLimit: CreateLimit,
  isLimited: boolean,
  { perJob, perAddress }: { perJob: number; perAddress: number },
) => ({
  address: createLimit('application address', isLimited ? applicationsPerAddress : 0),
  addressDay: createLimit('application address day', isLimited ? perAddress : 0, undefined, daySeconds),
  job: createLimit('application job', perJob, undefined, daySeconds),
  person: createLimit('application person', 1),
});

type Deps = JobDeps & {
  database: Pick<Database, 'query' | 'write'>;
  applicationLimits: ApplicationLimits;
};

/**
 * `POST /jobs/<slug>`: enrols the person who applies, and mails the link. The reply is the same whatever is known about the
 * address (docs/catalogue.md#jobs).
 */
export function handleApplication(deps: Deps): RequestHandler {
  const { database, visits, applicationLimits: limits } = deps;
  return async (request, response) => {
    const slug = slugOf(request);
    if (slug === undefined) return sendMissingPage(request, response);
    const sent = (request.body ?? {}) as Record<string, unknown>;
    const name = candidateRow.shape.name.safeParse(sent['name']);
    const email = candidateRow.shape.email.safeParse(sent['email']);
    const hasConsented = sent['consent'] === currentConsent;
    const refuse = (status: number, problems: RejectedApplication['problems'], waitSeconds?: number) =>
      sendJobPage(deps, request, response, {
        status,
        problems,
        waitSeconds,
        sent: { name: textOf(sent['name']), email: textOf(sent['email']) },
      });
    if (!name.success || name.data === null || !email.success || !hasConsented)
      return refuse(422, {
        ...(name.data ? {} : { name: 'job_error_name' }),
        ...(email.success ? {} : { email: 'job_error_email' }),
        ...(hasConsented ? {} : { consent: 'job_error_consent' }),
      });
    const address = addressOf(request);
    let refundAddress: (() => void) | undefined;
    let refundJob: (() => void) | undefined;
    try {
      await limits.address.take(address, response);
      refundAddress = await limits.addressDay.take(address, response);
      refundJob = await limits.job.take(slug, response);
    } catch (error) {
      refundAddress?.();
      const { retryAfterSeconds } = limitError(error);
      response.setHeader('retry-after', String(retryAfterSeconds));
      await refuse(429, { form: 'job_limited' }, retryAfterSeconds);
      return;
    }
    const visit = visits.openJob(request, 'job-apply', slug);
    const key = emailKey(email.data);
    const application = {
      slug,
      name: name.data,
      email: email.data,
      email_key: key,
      consent_version: currentConsent,
      consent_language: requestedLanguage(request),
    };
    // A person who sends the form twice gets one mail, and the same reply.
    const giveBack = await limits.person
      .take(`${slug} ${key}`, response)
      .catch((error: unknown) => void limitError(error));
    let outcome = giveBack ? undefined : ('sent' as ApplicationOutcome);
    try {
      outcome ??= (await database.write(visit, (trx) => trx.one(applyForJob(application, maxMailsPerPerson))))
        .outcome;
    } finally {
      // Only new people count for the job, so that one person cannot close it. All people count for the address, because its
      // sender could otherwise find out who has applied.
      if (outcome !== 'enrolled') refundJob();
      if (outcome !== 'enrolled' && outcome !== 'sent') {
        refundAddress();
        giveBack?.();
      }
    }
    if (outcome === 'enrolled' || outcome === 'sent')
      response.redirect(303, `/jobs/${slug}/?applied=true#apply`);
    else if (outcome === 'full') await refuse(409, { form: 'job_full' });
    else await sendJobPage(deps, request, response);
  };
}

const maxShownCharacters = 300;
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, maxShownCharacters) : '';
