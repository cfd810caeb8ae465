import { findScopes, checkAcceptsCandidates } from '../../../api/people/enrol';
import { applyForJob, findJobPage, listJobs } from '../../../db/catalogue/jobs';
import {
  findPortalSession,
  findSessionsByTerms,
  listPublicSessions,
  listSessionsById,
  listSessionsByTags,
} from '../../../db/catalogue/portal-catalogue';
import { startPractice } from '../../../db/catalogue/practice';
import { isCredentialError } from '../../../db/platform/database';
import type { AvatarCaller, Caller } from '../../../db/platform/database';
import type { Statement } from '../../../db/platform/statement';
import { findEmbedPage } from '../../../db/taking/embeds';
import { findAvatarPage } from '../../../db/taking/visits';
import { putRow, uuid } from '../platform/world-rows';
import { createTakingWorld } from '../taking/taking-world';
import type { TakingWorld } from '../taking/taking-world';

/*
 * Who may take what: each type and visibility at each entrance (docs/interviews.md#who-may-take-what).
 *
 * - `enrol`: job-interview-register-users and invite-users, which ask the same function; `link`: the link of somebody who is
 *   enrolled, with which an attempt begins; `embed`: an embed key.
 * - `list`: the lists of the catalogue; `page`: /session/<id>; `start`: the button of that page, for learners; `card`: the
 *   card `[session:<id>]` of a directory.
 * - `jobs`: /jobs of the merchant's portal; `job`: /jobs/<slug>; `apply`: its form; `talk`: /talk/<slug>.
 * - `all`: /jobs or /sessions of the deployment's own portal, the lists of all merchants.
 *
 * `yes`: everyone who has this entrance; `invited`: learners who are enrolled; `card`: whoever may see a directory with a card
 * of the session; `-`: nobody.
 */
const table = `
  type               visibility         enrol  link  embed  list  page     start    card     jobs  job  apply  talk  all
  interview          public             yes    yes   yes    -     -        -        -        yes   yes  yes    -     yes
  interview          merchant_public    yes    yes   yes    -     -        -        -        yes   yes  yes    -     -
  interview          merchant_unlisted  yes    yes   yes    -     -        -        -        -     yes  yes    -     -
  interview          merchant_invite    yes    yes   yes    -     -        -        -        -     -    -      -     -
  interview          sub_item           -      yes   -      -     -        -        -        -     -    -      -     -
  assessment         public             yes    yes   yes    -     -        -        -        yes   yes  yes    -     yes
  assessment         merchant_public    yes    yes   yes    -     -        -        -        yes   yes  yes    -     -
  assessment         merchant_unlisted  yes    yes   yes    -     -        -        -        -     yes  yes    -     -
  assessment         merchant_invite    yes    yes   yes    -     -        -        -        -     -    -      -     -
  assessment         sub_item           -      yes   -      -     -        -        -        -     -    -      -     -
  persona_interview  public             yes    yes   yes    -     -        -        -        yes   yes  yes    -     yes
  persona_interview  merchant_public    yes    yes   yes    -     -        -        -        yes   yes  yes    -     -
  persona_interview  merchant_unlisted  yes    yes   yes    -     -        -        -        -     yes  yes    -     -
  persona_interview  merchant_invite    yes    yes   yes    -     -        -        -        -     -    -      -     -
  persona_interview  sub_item           -      yes   -      -     -        -        -        -     -    -      -     -
  coaching           public             yes    yes   yes    yes   yes      yes      yes      -     -    -      -     yes
  coaching           merchant_public    yes    yes   yes    yes   yes      yes      yes      -     -    -      -     -
  coaching           merchant_unlisted  yes    yes   yes    -     yes      yes      yes      -     -    -      -     -
  coaching           merchant_invite    yes    yes   yes    -     invited  invited  invited  -     -    -      -     -
  coaching           sub_item           -      yes   -      -     card     card     card     -     -    -      -     -
  persona            public             yes    yes   yes    yes   yes      yes      yes      -     -    -      -     yes
  persona            merchant_public    yes    yes   yes    yes   yes      yes      yes      -     -    -      -     -
  persona            merchant_unlisted  yes    yes   yes    -     yes      yes      yes      -     -    -      -     -
  persona            merchant_invite    yes    yes   yes    -     invited  invited  invited  -     -    -      -     -
  persona            sub_item           -      yes   -      -     card     card     card     -     -    -      -     -
  public_avatar      public             -      -     yes    -     -        -        -        -     -    -      yes   -
  public_avatar      merchant_public    -      -     yes    -     -        -        -        -     -    -      yes   -
  public_avatar      merchant_unlisted  -      -     yes    -     -        -        -        -     -    -      yes   -
  public_avatar      merchant_invite    -      -     -      -     -        -        -        -     -    -      -     -
  public_avatar      sub_item           -      -     -      -     -        -        -        -     -    -      -     -
`;

let world: TakingWorld;
const domain = 'portal.example';
beforeAll(async () => {
  world = await createTakingWorld();
  await world.change('update merchant set portal_domain = $2 where id = $1', world.cell.merchantId, domain);
});

const visit = (profileId: string | null): Caller => ({
  kind: 'portal_visit',
  domain: null,
  merchantId: world.cell.merchantId,
  profileId,
});
/** A visit to the merchant's own portal, or to a portal of no merchant, which is that of the deployment. */
const at = (place: string | null, slug?: string): Caller => ({
  kind: 'portal_visit',
  domain: place,
  merchantId: null,
  profileId: null,
  ...(slug === undefined ? {} : { slug }),
});
class RolledBack extends Error {}
/** Returns the row of a statement that changes something which nobody keeps. */
async function tryOut<Row>(caller: Caller, statement: Statement<Row>): Promise<Row | undefined> {
  let row: Row | undefined;
  const work = world.api.write(caller, async (trx) => {
    row = await trx.maybeOne(statement);
    throw new RolledBack();
  });
  await expect(work).rejects.toThrow(RolledBack);
  return row;
}
/** Returns whether visitors can talk to this avatar. */
const canTalk = async (avatar: AvatarCaller['avatar']) => {
  const [page] = await world.api
    .query({ kind: 'avatar_visit', avatar, visitId: uuid(), domain: null }, findAvatarPage)
    .catch((error: unknown) => {
      if (isCredentialError(error)) return [];
      throw error;
    });
  return page?.is_open === true;
};
async function insert(name: string, columns: Record<string, unknown>): Promise<string> {
  const id = uuid();
  await putRow(world.database, name, world.cell, { ...columns, id });
  return id;
}
const makeLearner = () => {
  const email = `${uuid()}@learners.example`;
  return insert('profile', {
    role: 'user',
    name: 'Lea Lee',
    email,
    email_key: email,
    activated_at: '2026-01-01',
  });
};
const makeDirectory = (columns: Record<string, unknown>) =>
  putRow(world.database, 'catalogue_directory', world.cell, {
    visibility: 'merchant_public',
    ...columns,
  });

/** Creates an interview with a slug, an embed key and a candidate, and tries all its entrances. */
async function tryEntrances(type: string, visibility: string) {
  const tag = `tag-${uuid()}`;
  const link = await world.open([{ question: 'One?' }], {
    type,
    visibility,
    status: 'active',
    interview_available_till: null,
    name: tag,
    tags: [tag],
    slug: tag,
  });
  const id = link.interviewId;
  const embedId = await insert('embed_key', { interview_id: id, revoked_at: null });
  const [stranger, invited] = [await makeLearner(), await makeLearner()];
  await world.change(
    `update enrolment e set email = p.email, email_key = p.email_key from profile p where e.id = $1 and p.id = $2`,
    link.enrolmentId,
    invited,
  );

  const scopes = await world.api.read(world.cell.user, (trx) => findScopes(trx, [id]));
  const canEnrol = checkAcceptsCandidates(scopes.get(id)).scope !== undefined;
  const [embed] = await world.api.query({ kind: 'embed', embedId, domain: null }, findEmbedPage);
  const isEmbedded =
    type === 'public_avatar' ? await canTalk({ embedId }) : embed !== undefined && !embed.is_revoked;
  const lists = await Promise.all([
    world.api.query(visit(invited), listSessionsByTags([tag], 10)),
    world.api.query(visit(invited), findSessionsByTerms([tag], [10])),
  ]);
  const open = async () => {
    const tries = {
      page: async (profile: string | null) =>
        (await world.api.query(visit(profile), findPortalSession(id))).length > 0,
      card: async (profile: string | null) =>
        (await world.api.query(visit(profile), listSessionsById([id]))).length > 0,
      start: async (profile: string | null) =>
        (await tryOut(visit(profile), startPractice(id)))?.outcome === 'open',
    };
    const found = { page: '', card: '', start: '' };
    for (const entrance of ['page', 'card', 'start'] as const) {
      const visitors = entrance === 'start' ? [stranger, invited] : [null, stranger, invited];
      const seen: boolean[] = [];
      for (const profile of visitors) seen.push(await tries[entrance](profile));
      found[entrance] = seen.every(Boolean)
        ? 'yes'
        : seen.some(Boolean)
          ? seen.at(-1)
            ? 'invited'
            : '?'
          : '-';
    }
    return found;
  };
  const before = await open();
  await makeDirectory({ content_md: `[session:${id.toUpperCase()}]` });
  const after = await open();
  const through = (entrance: 'page' | 'card' | 'start') =>
    before[entrance] === '-' && after[entrance] === 'yes' ? 'card' : after[entrance];
  const { outcome } = await world.begin(link);
  const [job] = await world.api.query(at(null, tag), findJobPage(tag));
  const form = { name: 'Ann Lee', email: 'ann@jobs.example', email_key: 'ann@jobs.example', slug: tag };
  const consent = { consent_version: '1', consent_language: null };
  const applied = await tryOut(at(null, tag), applyForJob({ ...form, ...consent }, 5));
  const isIn = async (place: string | null, list: Statement<{ name: string }>) =>
    (await world.api.query(at(place), list)).some(({ name }) => name === tag);
  const isInAll = [
    await isIn(null, listJobs(1_000, 0)),
    await isIn(null, listPublicSessions(1_000, 0)),
  ].includes(true);
  const word = (isOpen: boolean) => (isOpen ? 'yes' : '-');
  return {
    enrol: word(canEnrol),
    link: word(outcome === 'begun'),
    embed: word(isEmbedded),
    list: lists.every((rows) => rows.length > 0) ? 'yes' : lists.some((rows) => rows.length > 0) ? '?' : '-',
    page: through('page'),
    start: through('start'),
    card: through('card'),
    jobs: word(await isIn(domain, listJobs(1_000, 0))),
    job: word(job?.outcome === 'open'),
    apply: word(applied?.outcome === 'enrolled'),
    talk: word(await canTalk({ slug: tag })),
    all: word(isInAll),
  };
}

const [head = [], ...rows] = table
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));
describe('an interview', () => {
  it.each(rows)('of the type %s and the visibility %s is reached as the table says', async (...row) => {
    const [type = '', visibility = ''] = row;
    const expected = Object.fromEntries(head.map((name, index) => [name, row[index]]));
    expect({ type, visibility, ...(await tryEntrances(type, visibility)) }).toEqual(expected);
  });
});

describe('a card of a session of the visibility sub_item', () => {
  it.each([
    [{ visibility: 'merchant_unlisted' }, [true, true]],
    [{ visibility: 'merchant_invite' }, [false, true]],
    [{ status: 'draft' }, [false, false]],
    [{ content_md: null }, [false, false]],
  ])('in a directory with %j opens it for a visitor and a learner: %j', async (columns, opened) => {
    const { interviewId: id } = await world.open([{ question: 'One?' }], {
      type: 'coaching',
      visibility: 'sub_item',
      status: 'active',
      interview_available_till: null,
    });
    await makeDirectory({ content_md: `Text\n[session:${id}]\n`, ...columns });
    const found = [null, await makeLearner()].map(
      async (profile) => (await world.api.query(visit(profile), findPortalSession(id))).length > 0,
    );
    expect(await Promise.all(found)).toEqual(opened);
  });
});

describe('a position', () => {
  it('of any visibility enrols candidates at its first step, also one of the visibility sub_item', async () => {
    for (const visibility of ['public', 'merchant_public', 'merchant_unlisted', 'merchant_invite']) {
      const { interviewId } = await world.open([{ question: 'One?' }], { visibility: 'sub_item' });
      const id = await insert('position', { status: 'active', visibility, interview_available_till: null });
      await insert('position_step', { position_id: id, interview_id: interviewId, step_order: 1 });
      const scopes = await world.api.read(world.cell.user, (trx) => findScopes(trx, [id]));
      expect(checkAcceptsCandidates(scopes.get(id))).toMatchObject({ scope: { interview_id: interviewId } });
    }
  });
});
