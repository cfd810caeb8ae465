import type { Response } from 'express';
import { sendOpenPage } from '../../platform/site/layout';

const explanations: Readonly<Record<string, string>> = {
  invalid_client:
    'The app that sent you here is not registered any more, or its description could not be read. Remove this server from the app and add it again.',
  invalid_redirect_uri: 'The app wants to continue at an address that it has not declared. Do not continue.',
  invalid_target: 'The app asked for access to another service.',
};

/** Sends the page of an authorization request that cannot go back to the app. */
export const sendOauthError = (
  response: Response,
  { error, error_description: description }: { error: string; error_description?: string | undefined },
): void =>
  sendOpenPage(response, {
    title: 'The app can’t be connected',
    status: 400,
    content: (
      <>
        <p class="error" role="alert">
          {explanations[error] ??
            'The request of the app cannot be completed. Go back to the app and start again.'}
        </p>
        <p class="soft small">
          {error}
          {description === undefined ? '' : `: ${description}`}
        </p>
      </>
    ),
  });
