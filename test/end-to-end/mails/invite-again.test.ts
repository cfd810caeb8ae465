import { openDatabases, takeInterview } from '../../../local/demo/candidate';
import { people } from '../../../local/seed/accounts';
import { createClient } from '../../harness/identity/console';
import {
  grantInvitations,
  inviteCandidates,
  mailbox,
  mailsTo,
  waitForMails,
} from '../../harness/people/mailbox';
import { cloneWithSteps, enrolmentsOf, peopleCalls } from '../../harness/people/people';
import { held } from '../../harness/platform/platform';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { fetchLink } from '../../harness/taking/open-link';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let databases: ReturnType<typeof openDatabases>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  databases = openDatabases(platform.database);
  await grantInvitations(platform);
});
afterEach(() => platform.clearFaults());
afterAll(async () => {
  await databases.close();
});

const linksTo = async (email: string): Promise<string[]> =>
  (await mailbox(platform))
    .filter(({ to }) => to === email)
    .map(({ text }) => /http\S+\/interview\/take\/\S+/.exec(text)?.[0] ?? '');

describe('invite-users after job-interview-result-request-another-attempt', () => {
  it('invites the candidate again', async () => {
    const domain = 'again.example';
    const email = `noor@${domain}`;
    const interview_id = await cloneWithSteps(platform.database);
    const user = { email, type: 'candidate', interview_id };
    const { invite } = peopleCalls(platform);
    expect(await invite([user])).toMatchObject([{ result: 'Invited' }]);
    await waitForMails(platform, domain, (mail) => mail.is_delivered);
    const [enrolment] = await enrolmentsOf(platform.database, interview_id);
    const { result_id } = await takeInterview(databases, { enrolment: enrolment?.id ?? '', until: 'scored' });
    expect(await invite([user])).toMatchObject([{ result: 'Activated' }]);

    const reopened = await platform.call('job-interview-result-request-another-attempt', {
      body: { interview_result_id: result_id },
    });
    expect(reopened.status).toBe(200);
    expect(await invite([user])).toMatchObject([{ result: 'Invited', profile_interview_id: enrolment?.id }]);
    const links = await waitFor('the second mail', async () => {
      const found = await linksTo(email);
      return found.length === 2 && found;
    });
    const statuses = await Promise.all(links.map(async (link) => (await fetchLink(link)).status));
    expect(statuses).toEqual([410, 200]);
  });
});

describe('the mail of a sign-in', () => {
  it('arrives while the provider delays every invitation', async () => {
    const domain = 'many.example';
    await platform.fault({ provider: 'sendgrid', category: 'candidate_invitation', ...held });
    for (let batch = 0; batch < 4; batch++)
      await inviteCandidates(
        platform,
        Array.from({ length: 50 }, (_, place) => `p${batch}-${place}@${domain}`),
      );
    await waitFor('invitations that are held', async () => (await platform.faultsLeft()) <= held.times - 40);
    const { email } = people.merchant;
    await createClient(platform.stack.origin).send('/console/sign-in', { email, environment: 'production' });
    await waitFor('the mail', async () =>
      (await mailbox(platform)).some(({ to, categories }) => to === email && categories.includes('sign_in')),
    );
    expect((await mailsTo(platform, domain)).filter(({ state }) => state === 'sent')).toEqual([]);
  });
});
