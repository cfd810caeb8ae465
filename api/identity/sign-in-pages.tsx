import { findSignInLink, requestSignIn, consumeSignInLink } from '../../db/identity/sign-in-links';
import type { SignInLink } from '../../db/identity/sign-in-links';
import { emailKey } from '../../db/people/public';
import { endConsoleSession, findConsoleSession } from '../../db/platform/console-sessions';
import type { RequestMeter } from '../../db/platform/database';
import { generateCookieSecret, hashSecret } from '../../db/platform/tokens';
import { environments } from '../../db/platform/vocabulary';
import type { Environment } from '../../db/platform/vocabulary';
import { refundPoint } from '../platform/http/address-limit';
import { onlyMethod } from '../platform/http/only-method';
import { noteFacts } from '../platform/http/request-log';
import { ApiError } from '../platform/operation/api-error';
import { HiddenFields, Submit } from '../platform/site/buttons';
import { SelectField, TextField, WithErrors } from '../platform/site/form';
import { isFormToken } from '../platform/site/form-token';
import { roleNames, sendOpenPage } from '../platform/site/layout';
import type { Page } from '../platform/site/layout';
import { safeReturn, addReturnAddress } from '../platform/site/return-address';
import { readSentData, sentText } from '../platform/site/site';
import type { Site } from '../platform/site/site';
import type { ConsoleDeps } from '../platform/site/visitor';

const newMeter = (): RequestMeter => ({ databaseMs: 0, merchantId: null, callerId: null });

/**
 * Adds the pages for signing in and out. An emailed link opens a page with a button that uses up the link, because mail
 * scanners also open links. The reply is the same for known and unknown email addresses.
 */
export function addSignInPages(
  { router, cookies, readForm, ownOrigin }: Site,
  { database }: ConsoleDeps,
): void {
  router.all('/sign-in', onlyMethod('GET', 'POST'));
  router.get('/sign-in', async (request, response) => {
    noteFacts(request, { operation: 'console-sign-in', profileId: null, meter: newMeter() });
    const returnTo = safeReturn(readSentData(request).query['return_to']);
    const cookie = cookies.read(request);
    const [session] = cookie
      ? await database.query({ kind: 'sign_in', meter: newMeter() }, findConsoleSession(cookie.hash))
      : [];
    if (session) {
      refundPoint(request, cookie?.hash.toString('hex'));
      response.redirect(303, returnTo ?? '/console');
    } else sendOpenPage(response, signInPage({ returnTo }));
  });
  router.post('/sign-in', ownOrigin, readForm, async (request, response) => {
    const meter = newMeter();
    noteFacts(request, { operation: 'console-sign-in', profileId: null, meter });
    const sent = readSentData(request);
    const email = sentText(sent, 'email');
    const returnTo = safeReturn(sentText(sent, 'return_to'));
    const environment = environments.find((each) => each === sentText(sent, 'environment'));
    if (!environment || email.length > 320 || !/^[^\s@]+@[^\s@]+$/.test(email)) {
      const error = environment
        ? new ApiError('invalid_value', 'Enter your email address, like name@company.com.', 'email')
        : new ApiError(
            'invalid_value',
            `environment must be one of: ${environments.join(', ')}.`,
            'environment',
          );
      sendOpenPage(response, { ...signInPage({ error, email, environment, returnTo }), status: 422 });
      return;
    }
    await database.write({ kind: 'sign_in', meter }, (trx) =>
      trx.rows(requestSignIn(emailKey(email), environment)),
    );
    cookies.setReturn(response, returnTo);
    sendOpenPage(response, sentPage(returnTo));
  });

  router.all('/enter', onlyMethod('GET', 'POST'));
  router.get('/enter', async (request, response) => {
    const meter = newMeter();
    noteFacts(request, { operation: 'console-enter', profileId: null, meter });
    const token = readSentData(request).query['token'] ?? '';
    const [link] = await database.query({ kind: 'sign_in', meter }, findSignInLink(hashSecret(token)));
    sendOpenPage(response, link ? enterPage(link, token) : spentPage);
  });
  router.post('/enter', ownOrigin, readForm, async (request, response) => {
    const meter = newMeter();
    noteFacts(request, { operation: 'console-enter', profileId: null, meter });
    const token = sentText(readSentData(request), 'token');
    const secret = generateCookieSecret();
    const spent = await database.write({ kind: 'sign_in', meter }, (trx) =>
      trx.maybeOne(
        consumeSignInLink(hashSecret(token), hashSecret(secret), request.headers['user-agent'] ?? null),
      ),
    );
    if (!spent?.session_id) {
      sendOpenPage(response, spentPage);
      return;
    }
    refundPoint(request, hashSecret(secret).toString('hex'));
    cookies.set(response, secret);
    response.redirect(303, cookies.takeReturn(request, response) ?? '/console');
  });

  router.all('/sign-out', onlyMethod('POST'), ownOrigin, readForm, async (request, response) => {
    const meter = newMeter();
    noteFacts(request, { operation: 'console-sign-out', profileId: null, meter });
    const cookie = cookies.read(request);
    if (cookie && !isFormToken(readSentData(request).form['csrf'], cookie.formToken))
      throw new ApiError(
        'forbidden',
        'This form is from an earlier session. Go back, reload the page, and try again.',
      );
    if (cookie)
      await database.write({ kind: 'sign_in', meter }, (trx) => trx.count(endConsoleSession(cookie.hash)));
    cookies.clear(response);
    response.redirect(303, '/console/sign-in');
  });
}

type SignIn = {
  error?: ApiError;
  email?: string;
  environment?: Environment | undefined;
  returnTo?: string | undefined;
};

function signInPage({ error, email = '', environment = 'production', returnTo }: SignIn): Page {
  return {
    title: 'Sign in',
    content: (
      <>
        <p class="soft">We’ll email you a sign-in link. It expires in 15 minutes.</p>
        <WithErrors names={['email', 'environment']} error={error}>
          <form class="fields" method="post" action="/console/sign-in">
            {returnTo !== undefined && <HiddenFields fields={{ return_to: returnTo }} />}
            <TextField
              name="email"
              label="Email address"
              value={email}
              type="email"
              required
              maxlength={320}
              autocomplete="email"
            />
            <SelectField
              name="environment"
              label="Environment"
              options={environments.map((value) => ({ value, label: value }))}
              value={environment}
            />
            <Submit>Email me a link</Submit>
          </form>
        </WithErrors>
      </>
    ),
  };
}

const sentPage = (returnTo: string | undefined): Page => ({
  title: 'Check your inbox',
  content: (
    <>
      <p>If this address has an account with console access, a sign-in link is on its way.</p>
      {returnTo !== undefined && <p>Open it in this browser to return to the page you requested.</p>}
      <p class="soft">No email? You can request up to five links an hour.</p>
      <p>
        <a href={addReturnAddress('/console/sign-in', returnTo)}>Use another address</a>
      </p>
    </>
  ),
});

const spentPage: Page = {
  title: 'This link has expired',
  status: 410,
  content: (
    <>
      <p>Sign-in links expire after 15 minutes and work only once.</p>
      <p>
        <a href="/console/sign-in">Request a new link</a>
      </p>
    </>
  ),
};

const enterPage = ({ name, email, role, merchant_name, environment }: SignInLink, token: string): Page => ({
  title: `Sign in as ${name ?? email}`,
  content: (
    <>
      <p>
        You’re signing in with {email} as {roleNames[role] ?? role}
        {merchant_name !== null && ` at ${merchant_name}`}, in the {environment} environment.
      </p>
      <form method="post" action="/console/enter">
        <HiddenFields fields={{ token }} />
        <button autofocus>Sign in</button>
      </form>
    </>
  ),
});
