import { randomUUID } from 'node:crypto';
import { currentConsent } from '../../../api/catalogue/job-page';
import { slugFor } from '../../../db/interviews/slug';
import { claimMails } from '../../../db/people/mails';
import { languageCodes } from '../../../db/platform/vocabulary';
import { openDatabases, takeInterview } from '../../../local/demo/candidate';
import { merchants } from '../../../local/seed/accounts';
import { interviewId } from '../../../local/seed/fixed-id';
import { atEndOfTest } from '../../harness/at-end';
import { cardsOf, openPage } from '../../harness/catalogue/catalogue-rows';
import { cloneInterview, cloneWithSteps, enrolmentsOf, makePosition } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sendRaw } from '../../harness/platform/raw-http';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls } from '../../harness/taking/candidate';
import { openLink } from '../../harness/taking/open-link';

let platform: Platform;
let calls: ReturnType<typeof candidateCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = candidateCalls(platform);
  await platform.database.rows('update merchant set portal_domain = null');
  await platform.database.rows('update merchant set portal_domain = $1 where id = $2', [domain, other]);
});
beforeEach(() =>
  platform.database.rows(`
    with hidden as (update interview set visibility = 'merchant_invite')
    update position set visibility = 'merchant_invite'`),
);

const other = merchants.other.id;
const domain = 'jobs.contoso.example';
type Job = { id: string; slug: string; path: string };

/** Makes an interview that is a job, and gives it the slug that its name has. */
async function makeJob(changes: Record<string, unknown> & { name?: string } = {}): Promise<Job> {
  // The questions of the copied interview belong to the main merchant.
  const clone = changes['merchant_id'] === undefined ? cloneWithSteps : cloneInterview;
  const id = await clone(platform.database, {
    name: 'Nurse',
    type: 'interview',
    visibility: 'public',
    ...changes,
  });
  const slug = slugFor(changes.name ?? 'Nurse', id, 'public') ?? '';
  await platform.database.rows('update interview set slug = $1 where id = $2', [slug, id]);
  return { id, slug, path: `/jobs/${slug}` };
}
const open = (path: string, language = 'en') => openPage(platform, path, { 'accept-language': language });
const openAt = (path: string) =>
  sendRaw(platform.stack.origin, `GET ${path} HTTP/1.1\r\nhost: ${domain}\r\nconnection: close\r\n\r\n`);
const postingIn = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? 'null') as Record<
    string,
    unknown
  > | null;

/** Sends the form of a job's page. */
async function apply(
  { slug }: Job,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const { portal_url } = platform.stack;
  const body = { name: 'Ann Lee', email: `${randomUUID()}@jobs.example`, consent: currentConsent, ...fields };
  const response = await fetch(`${portal_url}/jobs/${slug}/`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: portal_url, 'accept-language': 'en', ...headers },
    body: new URLSearchParams(body),
  });
  return { status: response.status, location: response.headers.get('location'), html: await response.text() };
}
const mailsTo = (email: string) =>
  platform.database.rows(
    `select m.kind, m.state, w.workflow_type from mail m join profile p on p.id = m.profile_id
     join workflow_start w on w.workflow_id = 'invitation-batch/' || m.batch_id where p.email_key = $1`,
    [email.toLowerCase()],
  );

describe('/jobs', () => {
  it('lists what is active and open, and the public jobs of all merchants at the deployment’s portal', async () => {
    await makeJob({ name: 'ours' });
    await makeJob({ name: 'ours, not public', visibility: 'merchant_public' });
    for (const status of ['draft', 'archived', 'completed', 'deleted', 'preparing'])
      await makeJob({ name: status, status });
    await makeJob({ name: 'over', interview_available_till: '2026-01-31' });
    await makeJob({ name: 'other environment', environment: 'uat' });
    await makeJob({ name: 'theirs', merchant_id: other });
    await makeJob({ name: 'theirs, not public', merchant_id: other, visibility: 'merchant_public' });
    const step = await makeJob({ name: 'step' });
    await makePosition(platform.database, [step.id], { visibility: 'public', slug: 'a-position' });
    await makePosition(platform.database, [], { visibility: 'public', slug: 'no-steps' });

    const all = ['A position', 'ours', 'ours, not public', 'theirs'];
    expect(cardsOf((await open('/jobs')).html).toSorted()).toEqual(all);
    expect(cardsOf((await openAt('/jobs/')).body).toSorted()).toEqual(['theirs', 'theirs, not public']);
    expect((await open(step.path)).status).toBe(404);
    expect((await open('/jobs/a-position')).status).toBe(200);
  });

  it('has pages, and links to the catalogue and back only where there is something', async () => {
    expect((await open('/jobs')).html).toContain('Nothing here yet.');
    for (let count = 0; count < 25; count += 1) await makeJob({ name: `Job ${count}` });
    const first = await open('/jobs');
    expect([cardsOf(first.html).length, first.html]).toEqual([24, expect.stringContaining('page=2')]);
    const second = await open('/jobs/?page=2');
    expect([cardsOf(second.html).length, second.html.includes('page=3')]).toEqual([1, false]);
    for (const page of ['0', '3', '81', 'x', '-1'])
      expect((await open(`/jobs/?page=${page}`)).status).toBe(404);
    expect(first.headers.get('x-robots-tag')).toBeNull();
    const [session] = await platform.database.rows<{ id: string }>(
      `update interview set visibility = 'public', status = 'active', type = 'coaching' where id = $1 returning id`,
      [interviewId('feedback')],
    );
    expect((await open(`/session/${session?.id ?? ''}`)).html).toContain('href="/jobs/"');
  });
});

describe('the page of a job', () => {
  it('is there as long as the job is open, closed after that, and listed by search engines if it is public', async () => {
    const unknown = await open('/jobs/no-such-job');
    for (const [visibility, status, reply, robots] of [
      ['public', 'active', 200, null],
      ['merchant_unlisted', 'active', 200, 'noindex'],
      ['merchant_invite', 'active', 404, 'noindex'],
      ['public', 'draft', 404, 'noindex'],
      ['public', 'deleted', 404, 'noindex'],
      ['public', 'archived', 410, 'noindex'],
      ['merchant_unlisted', 'completed', 410, 'noindex'],
    ] as const) {
      const { path } = await makeJob({ visibility, status });
      const page = await open(path);
      expect([status, page.status, page.headers.get('x-robots-tag')]).toEqual([status, reply, robots]);
      if (reply === 404) expect(page.html).toBe(unknown.html);
    }
  });

  it('is found at the merchant’s own domain, which is its canonical address, and at the deployment’s portal', async () => {
    const theirs = await makeJob({ merchant_id: other, visibility: 'merchant_unlisted' });
    for (const { html } of [await open(theirs.path), { html: (await openAt(theirs.path)).body }])
      expect(html).toMatch(new RegExp(`<link rel="canonical" href="https?://${domain}${theirs.path}"`));
    const { path } = await makeJob();
    expect([(await open(path)).status, (await openAt(path)).status]).toEqual([200, 404]);
  });

  it('shows the job to people and programs, and no text can leave its element', async () => {
    const evil = '</script><script>alert(1)</script><!--';
    const { path } = await makeJob({
      name: evil,
      description: `Care ${evil}`,
      interview_description_long: `# Ward\n\n**Nights** [x](javascript:alert(1)) ${evil}`,
      interview_location: 'Ghent',
      interview_department: evil,
      interview_salary: '€60,000',
      cover_image_url: 'https://images.example/"><script>.png',
      interview_available_till: '2999-01-31',
      creation_parameters: { hiring_for_company: { name: 'Acme', undisclosed: false } },
      recording: 'video_all',
    });
    const { html, headers } = await open(path);
    for (const text of ['Ghent', '€60,000', 'Acme', '<strong>Nights</strong>', 'Your voice and your picture'])
      expect(html).toContain(text);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/alert\(1\)<\/script>|href="javascript/);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'self';/);
    expect(headers.get('content-security-policy')).not.toContain('script-src');
    expect(html).toContain('<meta property="og:title" content="&lt;/script>');
    expect(postingIn(html)).toMatchObject({
      '@type': 'JobPosting',
      title: evil,
      validThrough: '2999-01-31T23:59:59.999Z',
      description: expect.stringContaining('<strong>Nights</strong>'),
      hiringOrganization: { name: 'Acme' },
      jobLocation: { address: { addressLocality: 'Ghent' } },
    });
  });

  it('names no company that is not disclosed', async () => {
    for (const hiring_for_company of [
      { name: 'Acme', undisclosed: true },
      { name: 'Acme', undisclosed: 'true' },
      { name: ' Undisclosed' },
    ]) {
      const { path } = await makeJob({ creation_parameters: { hiring_for_company } });
      const { html } = await open(path);
      expect(html).toContain('A company that is not named');
      expect(html).not.toMatch(/Acme|Undisclosed/);
      expect(postingIn(html)).toMatchObject({ hiringOrganization: { name: 'A company that is not named' } });
    }
  });

  it('is in the language of the browser, from right to left where that is read so', async () => {
    const { path } = await makeJob();
    expect((await open(path, 'ar')).html).toMatch(/<html lang="ar" dir="rtl">/);
    const pages = await Promise.all(languageCodes.map(async (code) => (await open(path, code)).html));
    expect(new Set(pages.map((html) => /<h2>([^<]+)<\/h2>/.exec(html)?.[1])).size).toBeGreaterThan(30);
  });
});

describe('an application', () => {
  it('enrols the person, mails the link, and gets the same reply whatever is known about the address', async () => {
    const job = await makeJob();
    const fresh = 'New.Person@jobs.example';
    const sent = await apply(job, { email: fresh, name: ' Ann  Lee ' });
    expect([sent.status, sent.location]).toEqual([303, `/jobs/${job.slug}/?applied=true#apply`]);
    expect((await open(sent.location ?? '')).html).toContain('Check your email');
    expect(await enrolmentsOf(platform.database, job.id)).toMatchObject([
      { email: fresh, name: 'Ann  Lee', is_invited: true, link_generation: 1 },
    ]);
    expect(await mailsTo(fresh)).toEqual([
      { kind: 'candidate_invitation', state: 'queued', workflow_type: 'invitationBatch' },
    ]);
    // Whoever applied may have written anything as the name, so the mail does not greet with it.
    const [batch] = await platform.database.rows<{ id: string }>(
      'select m.batch_id as id from mail m join enrolment e on e.id = m.enrolment_id where e.email = $1',
      [fresh],
    );
    const { text, values } = claimMails(batch?.id ?? '', 10);
    expect(await platform.database.rows(text, values)).toMatchObject([{ email: fresh, name: null }]);
    const [invitation] = await platform.database.rows(
      `select type, result, channel, inviter_id from invitation where interview_id = $1`,
      [job.id],
    );
    expect(invitation).toEqual({ type: 'candidate', result: 'invited', channel: 'email', inviter_id: null });

    const known = await calls.register(job.id, {});
    const databases = openDatabases(platform.database);
    atEndOfTest(() => databases.close());
    await takeInterview(databases, { enrolment: known.enrolmentId, until: 'submitted' });
    const often = `${randomUUID()}@jobs.example`;
    await platform.database.rows('update mail set bounced_at = now()');
    const again = [
      await apply(job, { email: fresh.toLowerCase(), name: 'Another Name' }),
      await apply(job, { email: known.email, name: 'Another Name' }),
    ];
    const jobs = await Promise.all(Array.from({ length: 6 }, () => makeJob()));
    for (const each of jobs) again.push(await apply(each, { email: often }));
    for (const { status, location } of again)
      expect([status, location]).toEqual([
        303,
        expect.stringMatching(/^\/jobs\/nurse-\w+\/\?applied=true#apply$/),
      ]);
    expect(await mailsTo(often)).toHaveLength(5);
    expect(await enrolmentsOf(platform.database, jobs[5]?.id ?? '')).toEqual([]);
  });

  it('sent twice is one mail, and for a position begins at its first step', async () => {
    const [one, two] = [await makeJob(), await makeJob()];
    const slug = randomUUID();
    const position = await makePosition(platform.database, [two.id, one.id], {
      visibility: 'merchant_unlisted',
      slug,
    });
    expect((await open(`/jobs/${slug}`)).html).toContain('<dt>Interviews</dt>');
    const email = `${randomUUID()}@jobs.example`;
    const job = { id: position, slug, path: '' };
    const replies = await Promise.all([1, 2, 3].map(() => apply(job, { email })));
    expect(replies.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await mailsTo(email)).toHaveLength(1);
    expect(await enrolmentsOf(platform.database, position)).toMatchObject([
      { interview_id: two.id, position_id: position },
    ]);
  });

  it('says what is wrong with each field and keeps what was sent', async () => {
    const job = await makeJob();
    const { status, html } = await apply(job, { name: '\u3164', email: 'ann@x"y', consent: '' });
    expect([status, html.match(/class="field-error"/g)?.length]).toEqual([422, 3]);
    expect(html).toContain('value="ann@x&quot;y"');
    expect((await apply(job, { name: 'x'.repeat(20_000) })).status).toBe(413);
    expect((await apply(job, { name: 'x'.repeat(201) })).status).toBe(422);
    const { portal_url } = platform.stack;
    const json = await fetch(`${portal_url}${job.path}/`, {
      method: 'POST',
      headers: { origin: portal_url, 'content-type': 'application/json' },
      body: '{"name":"Ann"}',
    });
    expect(json.status).toBe(422);
    for (const origin of ['https://evil.example', 'null'])
      expect((await apply(job, {}, { origin })).status).toBe(403);
    expect(await enrolmentsOf(platform.database, job.id)).toEqual([]);
  });

  it('is not taken for a job without a page or that is closed, or if it would take the last fifth of the invitations', async () => {
    const replies = [
      await apply(await makeJob({ visibility: 'merchant_invite' })),
      await apply(await makeJob({ status: 'archived' })),
      await apply(await makeJob({ interview_available_till: '2026-01-31' })),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 410, 410]);
    const job = await makeJob({ merchant_id: other });
    await platform.database.rows(
      `update credit_account set invitations_sent = ceil(0.8 * 4 * (monthly + single + extra)) where merchant_id = $1`,
      [other],
    );
    const full = await apply(job);
    expect([full.status, full.html]).toEqual([
      409,
      expect.stringContaining('cannot take applications at the moment'),
    ]);
    expect(await enrolmentsOf(platform.database, job.id)).toEqual([]);
  });
});

describe('the start page of a link', () => {
  it('shows the job, of the position for its candidates, and of a session only what it is about', async () => {
    const facts = {
      description: 'Care for people.',
      interview_description_long: '**Nights**',
      interview_salary: '€60,000',
      cover_image_url: 'https://images.example/a.png',
    };
    const job = await makeJob({ ...facts, visibility: 'merchant_invite' });
    const start = async (id: string) => (await openLink((await calls.register(id)).url)).html;
    for (const text of ['Care for people.', '<strong>Nights</strong>', '€60,000', 'images.example/a.png'])
      expect(await start(job.id)).toContain(text);
    const position = await makePosition(platform.database, [job.id], {
      ...facts,
      description: 'The position.',
    });
    expect(await start(position)).toContain('The position.');
    const session = await makeJob({ ...facts, type: 'coaching' });
    const html = await start(session.id);
    expect([html.includes('Care for people.'), html.includes('€60,000')]).toEqual([true, false]);
  });
});
