import { z } from 'zod';
import { readUrl } from '../../db/platform/read-url';
import { boundedText } from '../platform/text/bounded-text';

const maxOrigins = 20;
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** Accepts plain http only for a developer's own machine, and accepts no wildcards. */
const origin = new RegExp(
  `^(?:https://(?:${label}\\.)+${label}|https?://(?:localhost|127\\.0\\.0\\.1))(?::[1-9][0-9]{0,4})?$`,
);

/** The origins of pages that may frame an embedded interview. They become part of a Content-Security-Policy. */
export const embedOrigins = z
  .array(
    boundedText(300)
      .regex(origin, {
        error: 'must be an origin such as https://careers.example.com: lower case, without a path',
        abort: true,
      })
      .refine((text) => readUrl(text)?.origin === text, {
        error: 'must be an origin as browsers write it: a port up to 65535, and no default port',
        params: { code: 'invalid_format' },
      })
      .meta({ description: 'An origin: protocol, host and, unless it is the default, port.' }),
  )
  .max(maxOrigins)
  .transform((origins) => [...new Set(origins)])
  .meta({
    description:
      'The origins whose pages may show the embedded interview in a frame, at most 20. They replace the earlier ones. Without any, only pages of the portal itself may. Plain http is accepted for localhost and 127.0.0.1.',
  });
