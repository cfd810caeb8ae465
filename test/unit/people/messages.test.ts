import { createHmac } from 'node:crypto';
import {
  countSegments,
  writeMessage,
  type MessageKind,
} from '../../../activities/people/messages/write-message';
import { isTwilioSignature } from '../../../api/people/twilio-signature';
import { toPhoneNumber } from '../../../api/platform/text/phone-number';
import { languageCodes } from '../../../db/platform/vocabulary';

const kinds: MessageKind[] = [
  'candidate_invitation',
  'next_step_invitation',
  'retry_invitation',
  'reminder',
  'final_reminder',
  'submit_reminder',
];
const link = 'https://portal.example.com/m/0123456789abcdef';

describe('a message', () => {
  it.each(languageCodes)(
    'in %s is at most two SMS with its merchant, its link and how to opt out',
    (language) => {
      for (const merchant_name of ['Nordwind Inc.', `Nordwind ${'ö'.repeat(500)}`]) {
        const texts = [false, true].flatMap((is_practice) =>
          kinds.map((kind) => writeMessage({ kind, is_practice, language, merchant_name, link })),
        );
        // Learners get an invitation of their own.
        expect(new Set(texts).size).toBe(kinds.length + 1);
        for (const text of texts) {
          expect([text, countSegments(text) <= 2]).toEqual([text, true]);
          expect(text).toContain('Nordwind');
          expect(text).toContain('STOP');
          expect(text.split('\n')).toEqual([expect.any(String), link, expect.any(String)]);
          expect(text).not.toMatch(/[{}]/);
        }
      }
    },
  );

  it.each([
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    ['€'.repeat(80), 1],
    ['€'.repeat(81), 2],
    ['ж'.repeat(70), 1],
    ['ж'.repeat(71), 2],
    ['ж'.repeat(135), 3],
  ])('is counted as Twilio counts it: %#', (text, segments) => {
    expect(countSegments(text)).toBe(segments);
  });
});

describe('a phone number', () => {
  it.each([
    ['+49 (0)170 1234567', '+491701234567'],
    ['+1 415-555-2671', '+14155552671'],
    ['0170 1234567', null],
    ['+1 555 0100', null],
    ['call +49 170 1234567', null],
    ['+49 170', null],
    ['+49 30 901820', null],
    ['+49 900 1234567', null],
    ['+49 180 1234567', null],
    ['+1 800 555 2671', null],
    ['+44 7000 123456', null],
    [`+${'1'.repeat(100_000)}`, null],
    ['', null],
    [null, null],
  ])('%j is %j', (text, number) => {
    expect(toPhoneNumber(text)).toBe(number);
  });
});

describe('the signature of Twilio', () => {
  // The example of Twilio's documentation.
  const address = 'https://mycompany.com/myapp.php?foo=1&bar=2';
  const fields = new URLSearchParams({
    To: '+18005551212',
    From: '+12349013030',
    Digits: '1234',
    Caller: '+12349013030',
    CallSid: 'CA1234567890ABCDE',
  });
  const isSigned = (signature: string | undefined, authToken = '12345', at = address, form = fields) =>
    isTwilioSignature(signature, { authToken, address: at, fields: form });

  it('is valid for its address, fields and token only', () => {
    const signature = '0/KCTR6DLpKmkAf8muzZqo1nDgQ=';
    expect(isSigned(signature)).toBe(true);
    expect(isSigned(signature, '12346')).toBe(false);
    expect(isSigned(signature, '12345', `${address}3`)).toBe(false);
    expect(isSigned(signature, '12345', address, new URLSearchParams(`${fields.toString()}&A=b`))).toBe(
      false,
    );
    const sha256 = createHmac('sha256', '12345').update(address).digest('base64');
    for (const wrong of ['', 'AAAA', '!', sha256, undefined, 'A'.repeat(100_000)])
      expect(isSigned(wrong)).toBe(false);
  });
});
