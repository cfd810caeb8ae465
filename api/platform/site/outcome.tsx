import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from 'express';
import { toApiError } from '../http/error-reply';
import { RedirectNow } from './elements';
import { ErrorBox } from './form';
import type { Page } from './layout';
import type { NewSecret, ConsoleVisitor } from './visitor';

/** The result of an action: the page to go to (`/access`), with the message and the secret that this page shows. */
export type RedirectWithMessage = {
  goTo: string;
  query?: Record<string, string>;
  flash: string;
  secret?: NewSecret;
};

/**
 * The result of an action that can take up to a minute. If `outcome` takes longer than a second, the page `meanwhile` is
 * shown until it is there, in the same reply. The message and the secret of a `Go` are then not shown.
 */
export type SlowOutcome = { meanwhile: Page; outcome: Promise<Page | RedirectWithMessage> };

/** Returns the outcome of a slow action, or after a second the page that waits for it. */
export async function outcomeOrMeanwhile(
  { meanwhile, outcome }: SlowOutcome,
  request: Request,
  visitor: ConsoleVisitor,
): Promise<Page | RedirectWithMessage> {
  const isSlow = await Promise.race([outcome.then(() => false), sleep(slowMs).then(() => true)]);
  if (!isSlow) return outcome;
  const later = outcome.then(
    (result) =>
      'goTo' in result ? <RedirectNow to={visitor.href(result.goTo, result.query)} /> : result.content,
    (failure: unknown) => {
      request.log.error({ err: failure }, 'request failed');
      return <ErrorBox error={toApiError(failure)} />;
    },
  );
  return { ...meanwhile, later: later.then((content) => <div class="outcome">{content}</div>) };
}
const slowMs = 1_000;
