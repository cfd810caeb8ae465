import { maskSecret } from '../../../api/webhooks/webhook-headers';
import type { CustomHeaders } from '../../../api/webhooks/webhook-headers';
import type { PostResult } from '../../providers/webhook-attempt';

/** The values that a stored response must not show, longest first. `shown` is the text that replaces `secret`. */
export type Masks = readonly { secret: string; shown: string }[];

/** Shorter values are not masked, because they appear in any text by chance. */
const minLength = 4;

/** Returns the masks for an endpoint's custom headers. */
export function masksOf(headers: CustomHeaders): Masks {
  const masks = new Map<string, string>();
  for (const value of Object.values(headers))
    for (const secret of [value.trim(), ...withoutScheme(value)])
      if (secret.length >= minLength)
        for (const spelled of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
          masks.set(spelled, maskSecret(secret));
  return [...masks]
    .map(([secret, shown]) => ({ secret, shown }))
    .sort((one, other) => other.secret.length - one.secret.length);
}

/**
 * Returns the result with the values of the endpoint's custom headers masked, so that a receiver that echoes its
 * request does not show them to everyone who reads the history. Masks the values as they were sent, in JSON and
 * percent-encoded, but not in other encodings.
 */
export function maskResponse(result: PostResult, masks: Masks): PostResult {
  const body = result.response_body && maskText(result.response_body, masks);
  return {
    ...result,
    error: result.error && maskText(result.error, masks),
    response_headers:
      result.response_headers &&
      Object.fromEntries(
        Object.entries(result.response_headers).map(([name, value]) => [name, maskText(value, masks)]),
      ),
    response_body: body && result.is_truncated ? maskEnd(body, masks) : body,
  };
}

const maskText = (text: string, masks: Masks): string =>
  masks.reduce((masked, { secret, shown }) => masked.replaceAll(secret, () => shown), text);

/** Masks the beginning of a value at the end of a truncated body, where the rest of the value was cut off. */
function maskEnd(text: string, masks: Masks): string {
  for (const { secret, shown } of masks)
    for (let length = secret.length - 1; length >= minLength; length -= 1)
      if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + shown;
  return text;
}

const withoutScheme = (value: string): string[] => {
  const [, credential] = /^\s*(?:basic|bearer|token|apikey)\s+(\S+)\s*$/i.exec(value) ?? [];
  return credential === undefined ? [] : [credential];
};
