import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createApplicationLimits } from '../../../api/catalogue/apply';
import { cataloguePages } from '../../../api/catalogue/catalogue';
import { currentConsent } from '../../../api/catalogue/job-page';
import { createMarkdownCompiler } from '../../../api/catalogue/markdown-pages';
import { findScopes, checkAcceptsCandidates } from '../../../api/people/enrol';
import { enrolEmbedded } from '../../../api/people/enrol-embedded';
import { createLimits } from '../../../api/platform/http/rate-limit';
import { applyForJob } from '../../../db/catalogue/jobs';
import { withdrawCandidate } from '../../../db/people/enrolments';
import { createLinkTokens } from '../../../db/platform/link-tokens';
import { generateSigningKeys } from '../../../db/platform/tokens';
import { putRow, uuid } from '../platform/world-rows';
import { createTakingWorld } from '../taking/taking-world';
import type { TakingWorld } from '../taking/taking-world';

let world: TakingWorld;
beforeAll(async () => {
  world = await createTakingWorld();
});

/** Creates a job with a candidate who was only registered. */
async function makeJob() {
  const slug = `job-${uuid()}`;
  const { enrolmentId: id, interviewId } = await world.open([{ question: 'One?' }], {
    visibility: 'public',
    status: 'active',
    interview_available_till: null,
    slug,
  });
  const email = `${uuid()}@jobs.example`;
  await world.change('update enrolment set name = null, email = $2, email_key = $2 where id = $1', id, email);
  return { slug, id, interviewId, email };
}
type Job = Awaited<ReturnType<typeof makeJob>>;

const apply = ({ slug }: Job, email: string) => {
  const consent = { consent_version: '2026-01-01', consent_language: 'de' } as const;
  const visit = { kind: 'portal_visit', domain: null, merchantId: null, profileId: null, slug } as const;
  return world.api.write(visit, (trx) =>
    trx.one(applyForJob({ slug, name: 'Another Name', email, email_key: email, ...consent }, 5)),
  );
};
const rowsOf = (table: string, email: string) =>
  world.change(
    `select t.* from ${table} t join enrolment e on e.id = t.${table === 'enrolment' ? 'id' : 'enrolment_id'}
     where e.email_key = $1`,
    email,
  );
const withdraw = (id: string) => world.api.write(world.cell.user, (trx) => trx.one(withdrawCandidate(id)));

const people: [string, number, (job: Job) => Promise<unknown>][] = [
  ['was only registered', 1, async () => undefined],
  ['was invited', 1, ({ id }) => world.change('update enrolment set invited_at = now() where id = $1', id)],
  ['was withdrawn', 0, ({ id }) => withdraw(id)],
  [
    'was withdrawn and registered again',
    1,
    async ({ id, interviewId, email }) => {
      await withdraw(id);
      const row = { email, name: null, external_id: null, phone: null };
      await world.api.write(world.cell.user, async (trx) => {
        const { scope } = checkAcceptsCandidates((await findScopes(trx, [interviewId])).get(interviewId));
        if (scope) await enrolEmbedded(trx, { scope, row, isOpen: true }, async () => true);
      });
    },
  ],
];

describe('an application', () => {
  it('of somebody who is unknown enrols, keeps the consent and mails the link', async () => {
    const job = await makeJob();
    const email = `${uuid()}@jobs.example`;
    expect(await apply(job, email)).toEqual({ outcome: 'enrolled' });
    expect(await rowsOf('enrolment', email)).toMatchObject([
      {
        name: 'Another Name',
        status: 'invited',
        source: 'public',
        apply_consent_version: '2026-01-01',
        apply_consent_language: 'de',
        apply_consented_at: expect.any(Date),
      },
    ]);
    expect(await rowsOf('mail', email)).toHaveLength(1);
  });

  it.each(people)(
    'of somebody who %s sends %d mails and changes nothing else',
    async (_who, mails, prepare) => {
      const job = await makeJob();
      await prepare(job);
      const before = await rowsOf('enrolment', job.email);
      expect(await apply(job, job.email)).toEqual({ outcome: 'sent' });
      expect(await rowsOf('enrolment', job.email)).toEqual(before);
      expect(await rowsOf('mail', job.email)).toHaveLength(mails);
    },
  );

  it('of a candidate of a position who is at a later step is an invitation to that step', async () => {
    const [first, second] = [await makeJob(), await makeJob()];
    const position = uuid();
    const put = (table: string, row: object) => putRow(world.database, table, world.cell, { ...row });
    await put('position', { id: position, slug: position });
    for (const [index, { interviewId: interview_id }] of [first, second].entries())
      await put('position_step', { position_id: position, interview_id, step_order: index + 1 });
    await world.change('update enrolment set position_id = $2 where id = $1', second.id, position);
    await apply({ ...second, slug: position }, second.email);
    expect(await rowsOf('invitation', second.email)).toMatchObject([{ interview_id: second.interviewId }]);
  });

  it('beyond the limit of an address is a 429 that keeps the fields and says when to try again', async () => {
    const { slug } = await makeJob();
    const pages = cataloguePages({
      database: world.api,
      links: await createLinkTokens(await generateSigningKeys(), 'http://portal.example'),
      isHttps: false,
      portalOrigin: 'http://portal.example',
      hostOf: () => ({ domain: null, merchantId: null }),
      visitorLimits: [(_request, _response, next) => next()],
      applicationLimits: createApplicationLimits(createLimits(world.api, { warn: () => undefined }), true, {
        perJob: 0,
        perAddress: 0,
      }),
      pages: createMarkdownCompiler(),
    });
    const server = createServer(express().use(pages)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const send = () =>
      fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/jobs/${slug}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: 'http://portal.example', 'accept-language': 'en' },
        body: new URLSearchParams({ name: 'Ann Lee', email: 'ann@jobs.example', consent: currentConsent }),
      });
    const replies: Response[] = [];
    for (let count = 0; count < 11; count += 1) replies.push(await send());
    server.close();
    expect(replies.map(({ status }) => status)).toEqual([...Array<number>(10).fill(303), 429]);
    expect(replies.at(-1)?.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
    const html = await replies.at(-1)?.text();
    for (const text of ['value="Ann Lee"', 'value="ann@jobs.example"', 'Time to wait: 1 minute'])
      expect(html).toContain(text);
  });
});
