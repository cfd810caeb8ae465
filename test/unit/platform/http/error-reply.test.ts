import { isCallerGone, toApiError } from '../../../../api/platform/http/error-reply';

const fault = (facts: Record<string, unknown>) => Object.assign(new Error('fault'), facts);

describe('toApiError', () => {
  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
    '08006',
    '53100',
    '53300',
  ])('returns a 503 for a database that is unavailable or out of resources: %s', (code) => {
    expect(toApiError(fault({ code })).status).toBe(503);
  });

  it.each(['ECONNABORTED', 'EACCES', 'EISDIR', 'EMFILE', 'ECONNRESETS'])(
    'returns a 500 for %s, which is not about the database',
    (code) => {
      expect(toApiError(fault({ code })).status).toBe(500);
    },
  );

  it.each([
    { status: 400, type: 'request.aborted', code: 'ECONNABORTED' },
    { status: 400, code: 'ECONNRESET' },
  ])('does not report a caller that disconnected, %j, as an error of ours', (facts) => {
    expect(toApiError(fault(facts)).status).toBe(422);
    expect(isCallerGone(fault(facts))).toBe(true);
  });

  it('distinguishes a broken body and a lost database from a caller that disconnected', () => {
    expect(isCallerGone(fault({ status: 400, code: 'Z_DATA_ERROR' }))).toBe(false);
    expect(isCallerGone(fault({ code: 'ECONNRESET' }))).toBe(false);
  });
});
