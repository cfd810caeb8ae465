import type { Client } from 'pg';
import { withAdminConnection } from '../../db/platform/credentials';
import { createQueries } from '../../db/platform/database';
import { createLinkTokens } from '../../db/platform/link-tokens';
import { jwkSet } from '../../db/platform/tokens';
import { merchants, people } from './accounts';
import { fixedId, interviewId } from './fixed-id';
import type { SeedInterview } from './interview-list';
import { seedInterview } from './interviews';

/** Links that a person can open in a browser. */
export type OpenLinks = {
  /** An interview whose answers are typed. */
  typed_interview: string;
  /** An interview with spoken questions, whose answers are recorded on video. */
  recorded_interview: string;
  /** A session of the catalogue, opened as a learner. */
  coaching_session: string;
};

/** The interviews to which the links lead, with the columns that other seeded interviews do not set. */
const openInterviews = {
  typed: {
    name: 'Office manager (typed answers)',
    template: 'offline_avatar_3',
    columns: { recording: null, candidate_video_introduction: 'hidden' },
  },
  recorded: {
    name: 'Event host (recorded answers)',
    template: 'interactive_avatar_1',
    columns: { recording: 'video_all', candidate_video_introduction: 'optional' },
  },
} as const satisfies Record<string, Pick<SeedInterview, 'name' | 'template'> & { columns: object }>;
type OpenKey = keyof typeof openInterviews;

/**
 * Creates the links that `npm start` prints. Each link leads to a candidate who can still take the interview. If the
 * candidate of the last start has finished it, a new candidate is inserted. Only `npm start` calls this, after
 * `seed`.
 */
export async function createOpenLinks(stack: {
  adminUrl: string;
  portalOrigin: string;
  linkKeysFile: string;
}): Promise<OpenLinks> {
  const links = await createLinkTokens(jwkSet.parse(stack.linkKeysFile), stack.portalOrigin);
  const linkTo = async (client: Client, key: OpenKey) => {
    await seedOpenInterview(client, key);
    return links.interviewUrl(await openCandidate(client, key), {
      availableTill: null,
      hideMenu: false,
      hideIframe: false,
    });
  };
  return withAdminConnection(stack.adminUrl, async (client) => ({
    typed_interview: await linkTo(client, 'typed'),
    recorded_interview: await linkTo(client, 'recorded'),
    coaching_session: await links.learnerUrl(
      { profileId: people.user.id, merchantId: merchants.main.id },
      `${stack.portalOrigin}/session/${interviewId('feedback')}`,
    ),
  }));
}

async function seedOpenInterview(client: Client, key: OpenKey): Promise<void> {
  const id = interviewId(key);
  const { rowCount } = await client.query('select from interview where id = $1', [id]);
  if (rowCount !== 0) return;
  const { name, template, columns } = openInterviews[key];
  const seed = { key, owner: merchants.main, name, template, type: 'interview', status: 'active' };
  await client.query('begin');
  await seedInterview(createQueries(client), seed, 0, new Date().toISOString());
  await client.query(
    `update interview set result_view = 'full', recording = $2, candidate_video_introduction = $3 where id = $1`,
    [id, columns.recording, columns.candidate_video_introduction],
  );
  await client.query('commit');
}

/** Returns the link of a candidate who can still take the interview. Inserts a candidate if there is none. */
async function openCandidate(client: Client, key: OpenKey) {
  const { rows: candidates } = await client.query<{ id: string; link_generation: number; is_open: boolean }>(
    `select e.id, e.link_generation, not exists (
       select from interview_result r where r.merchant_id = e.merchant_id and r.enrolment_id = e.id and not r.is_test
         and not (r.status = 'draft' and (r.interview_status is null
           or r.interview_status = 'started' and r.deadline_at > now()
           or r.interview_status in ('completed', 'completed, stopped early')))
     ) as is_open
     from enrolment e where e.interview_id = $1 and e.email_key like 'dana.%@candidates.example'`,
    [interviewId(key)],
  );
  const open = candidates.find(({ is_open: isOpen }) => isOpen);
  const enrolmentId = open?.id ?? (await insertCandidate(client, key, candidates.length + 1));
  return {
    enrolmentId,
    interviewId: interviewId(key),
    generation: open?.link_generation ?? 1,
    isTest: false,
  };
}

async function insertCandidate(client: Client, key: OpenKey, number: number): Promise<string> {
  const id = fixedId(`enrolment ${key} ${number}`);
  const email = `dana.${key}.${number}@candidates.example`;
  await client.query(
    `with person as (
       insert into profile (id, merchant_id, role, name, email, email_key)
       values ($1, $2, 'candidate', 'Dana Demo', $3, $3) returning id
     )
     insert into enrolment (id, merchant_id, environment, interview_id, profile_id, name, email, email_key)
     select $4, $2, 'production', $5, id, 'Dana Demo', $3, $3 from person`,
    [fixedId(`candidate ${email}`), merchants.main.id, email, id, interviewId(key)],
  );
  return id;
}
