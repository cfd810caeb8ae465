import { challengeName, challengeText, createPortalChallenge } from '../../../api/account/portal-challenge';
import { isReserved } from '../../../api/account/portal-domain';
import { startNameServer } from '../../../local/fakes/name-server';
import type { NameAnswer, NameServer } from '../../../local/fakes/name-server';

let server: NameServer;
let told: NameAnswer;
let asked: string[];
beforeAll(async () => {
  server = await startNameServer((name, type) => {
    asked.push(`${type} ${name}`);
    return told;
  });
});
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
});

const domain = 'jobs.example.com';
const prove = () => createPortalChallenge([server.address], { timeout: 250, tries: 1 })(domain, 'abc');

describe('createPortalChallenge', () => {
  it('accepts the text of the merchant, also next to other texts', async () => {
    told = { txt: ['v=spf1 -all', challengeText('abc')] };
    expect(await prove()).toBeNull();
    expect(asked).toEqual([`TXT ${challengeName(domain)}`]);
  });

  it.each<[string, NameAnswer, string]>([
    ['an unknown name', 'unknown', 'There is no TXT record at _interview-platform.jobs.example.com'],
    ['a name without TXT records', { txt: [] }, 'There is no TXT record at'],
    ['the text of another merchant', { txt: [challengeText('abd')] }, 'does not have the expected value'],
    ['a longer text', { txt: [`${challengeText('abc')}d`] }, 'does not have the expected value'],
    [
      'a name server that fails',
      'failure',
      'could not answer for _interview-platform.jobs.example.com (SERVFAIL)',
    ],
    ['silence', 'silence', 'did not answer in time'],
  ])('explains %s', async (_, answer, sentence) => {
    told = answer;
    expect(await prove()).toContain(sentence);
  });
});

describe('isReserved', () => {
  it.each([
    ['platform.example', true],
    ['jobs.platform.example', true],
    ['notplatform.example', false],
    ['platform.example.org', false],
  ])('returns for %s: %s', (name, expected) => {
    expect(isReserved(name, ['platform.example'])).toBe(expected);
  });
});
