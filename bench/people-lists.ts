import { makeConsoleLink, withAdminConnection } from '../db/platform/credentials';
import { people } from '../local/seed/accounts';
import { scaled } from './stack';
import type { BenchStack } from './stack';

const count = scaled(100_000);
/** Measures GET requests to an address, one after another, and returns milliseconds. */
type Measure = (url: string, headers: Record<string, string>) => Promise<{ p50: number; p99: number }>;

/**
 * Adds candidates to the merchant, each with a mail and most of them with a result, and measures the lists of candidates
 * and mails for each filter, and pages of the console.
 */
export async function benchPeopleLists({ stack }: BenchStack, measure: Measure): Promise<void> {
  const { merchant_id, ids } = stack;
  await withAdminConnection(stack.database_url, async (admin) => {
    await admin.query(
      `with person as (
         insert into profile (merchant_id, role, email, email_key, name)
         select $1, 'candidate', 'p' || n || '@lists.example', 'p' || n || '@lists.example', 'Candidate ' || n
         from generate_series(1, $3::int) n returning id, email, name
       ), enrolled as (
         insert into enrolment (merchant_id, environment, interview_id, profile_id, name, email, email_key, external_id,
           invited_at)
         select $1, 'production', $2, id, name, email, email, 'crm-' || name, now() from person
         returning merchant_id, id, profile_id
       ), batch as (
         insert into invitation_batch (merchant_id, environment, platform_language_code) values ($1, 'production', 'en')
         returning id
       )
       insert into mail (merchant_id, environment, batch_id, kind, profile_id, enrolment_id, state, bounced_at)
       select $1, 'production', batch.id, 'candidate_invitation', profile_id, enrolled.id, 'sent',
         case when hashtext(enrolled.id::text) % 200 = 0 then now() end
       from enrolled, batch`,
      [merchant_id, ids.active_interview, count],
    );
    await admin.query(
      `insert into interview_result (merchant_id, environment, interview_id, enrolment_id, status, interview_status)
       select merchant_id, environment, interview_id, id, case when hashtext(id::text) % 3 = 0 then 'active' else 'draft' end,
         'completed'
       from enrolment where email_key like '%@lists.example' and hashtext(id::text) % 10 <> 0`,
    );
    await admin.query('vacuum analyze enrolment, mail, profile, interview_result, invitation');
  });
  const lists = [
    'merchant-candidate-list',
    'merchant-candidate-list?status=submitted',
    'merchant-candidate-list?status=invited',
    `merchant-candidate-list?interview_id=${ids.active_interview}`,
    'merchant-candidate-list?filter_text=candidate+777',
    'merchant-candidate-list?filter_text=nobody',
    'merchant-invitation-list',
    'merchant-invitation-list?mail_status=bounced',
    'merchant-invitation-list?filter_text=candidate+777',
  ];
  console.log(
    `\nLists of ${count} candidates and mails, 50 a page (bar: p50 at most 10 ms, with a filter 50 ms)`,
  );
  for (const list of lists)
    print(
      list,
      await measure(`${stack.base_url}/${list}`, { authorization: `Bearer ${stack.tokens.merchant_owner}` }),
    );
  const cookie = await signIn(stack.database_url, stack.origin);
  console.log('Pages of the console (bar: p50 at most 100 ms)');
  for (const page of [
    'candidates',
    'candidates?status=submitted',
    'mails',
    'search?q=candidate',
    'search?q=nobody',
    'interviews',
    'interviews/new',
    `interviews/${ids.active_interview}/settings`,
  ])
    print(page, await measure(`${stack.origin}/console/${page}`, { cookie }));
}

const print = (name: string, { p50, p99 }: { p50: number; p99: number }) =>
  console.log(`  ${name.padEnd(76)} p50 ${p50} ms, p99 ${p99} ms`);

/** Signs in to the console and returns the cookies. */
async function signIn(databaseUrl: string, origin: string): Promise<string> {
  const link = await withAdminConnection(databaseUrl, (client) =>
    makeConsoleLink(client, people.merchant_owner, 'production', origin),
  );
  const token = new URL(link).searchParams.get('token') ?? '';
  const response = await fetch(`${origin}/console/enter`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token }).toString(),
  });
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}
