/** A refresh token from which the client gets access tokens. */
export type TokenSource = {
  accessToken?: string | undefined;
  refreshToken: string;
  /** Stores the new tokens. A refresh token works once, so a program that starts again needs the last one. */
  onRefresh?: ((tokens: { accessToken: string; refreshToken: string }) => void | Promise<void>) | undefined;
};

export type Credential = {
  token: () => Promise<string>;
  /** Returns a token that replaces `expired`, or undefined if there is no refresh token. */
  renew: (expired: string) => Promise<string | undefined>;
};

type Given = { token?: string | TokenSource | undefined; serviceKey?: string | undefined };

/** Returns the credential of a client. `exchange` posts a form to the token endpoint and returns its reply. */
export function createCredential(
  { token, serviceKey }: Given,
  exchange: (form: URLSearchParams) => Promise<unknown>,
): Credential {
  if ((token === undefined) === (serviceKey === undefined))
    throw new TypeError('Set either `token` or `serviceKey`.');
  if (typeof token !== 'object') {
    const fixed = token ?? serviceKey ?? '';
    return { token: async () => fixed, renew: async () => undefined };
  }

  let { accessToken, refreshToken } = token;
  let running: Promise<string> | undefined;
  const refresh = async (): Promise<string> => {
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken });
    const reply = (await exchange(form)) as { access_token: string; refresh_token: string };
    ({ access_token: accessToken, refresh_token: refreshToken } = reply);
    await token.onRefresh?.({ accessToken, refreshToken });
    return accessToken;
  };
  // A second refresh at the same time would use the refresh token twice, which ends the session.
  const refreshOnce = (): Promise<string> => {
    running ??= refresh().finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    token: async () => running ?? accessToken ?? refreshOnce(),
    renew: async (expired) =>
      running ?? (accessToken === undefined || accessToken === expired ? refreshOnce() : accessToken),
  };
}
