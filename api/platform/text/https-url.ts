import { readUrl } from '../../../db/platform/read-url';
import { boundedText } from './bounded-text';

/** An https address with a host and without credentials. It is stored as it was sent. */
export const httpsUrl = boundedText(2048)
  .regex(/^https:\/\/[^\s/@\\?#.]+(\.[^\s/@\\?#.]+)+\.?([/?#]\S*)?$/, {
    error: 'must be an https URL without credentials',
    abort: true,
  })
  .refine(readUrl, {
    error: 'must be an https URL without credentials',
    params: { code: 'invalid_format' },
  })
  .meta({ format: 'uri' });
