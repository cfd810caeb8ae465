import type { Client } from 'pg';
import { emailKey } from '../../db/people/email-key';
import { merchants, people } from './accounts';
import { fixedId, interviewId } from './fixed-id';
import { seedResults } from './results';

export const firstNames = [
  'Amira', 'Bence', 'Carla', 'Dmitri', 'Elif', 'Farid', 'Grace', 'Hana', 'Ivo', 'Jolanda', 'Kaito', 'Lena', 'Mateo',
  'Noor', 'Oskar', 'Priya', 'Quentin', 'Rosa', 'Stefan', 'Tomás',
]; // prettier-ignore
export const lastNames = [
  'Almeida', 'Bakker', 'Castro', 'Dahl', 'Eriksen', 'Fontaine', 'Garcia', 'Horvat', 'Ito', 'Jovanović', 'Khan',
  'Larsen', 'Moreau', 'Nowak', 'Okafor', 'Petrov', 'Quinn',
]; // prettier-ignore

/** The number of candidates of each interview. */
const shares: [key: string, count: number][] = [
  ['active', 160],
  ['screening', 90],
  ['second', 50],
];
/**
 * The states in which candidates end up, assigned in turn. Most candidates have completed the interview, and some are
 * still taking it.
 */
const fates = [
  'decided', 'decided', 'none', 'undecided', 'decided', 'none', 'collected', 'decided', 'failed', 'none', 'undecided',
  'started',
] as const; // prettier-ignore

/** Catalogue sessions that the demo's learner has taken. One of them is unfinished. */
const practised = [
  ['one-on-one', 'undecided'],
  ['feedback', 'undecided'],
  ['receive-feedback', 'undecided'],
  ['late-delivery', 'undecided'],
  ['renewal', 'started'],
] as const;

const dayMs = 86_400_000;
/** The candidates are spread over two years. These are the first and the last day. */
const firstDay = Date.UTC(2024, 10, 4, 8, 0);
const lastDay = Date.UTC(2026, 9, 30, 17, 0);

/** Seeds a few hundred candidates over two years, the demo's learner, and the results of all of them. */
export async function seedCandidates(client: Client): Promise<void> {
  const { rows } = await client.query('select from enrolment where merchant_id = $1 limit 1', [
    merchants.main.id,
  ]);
  if (rows.length > 0) return;
  const candidates = [
    ...shares.flatMap(([key, count]) =>
      Array.from({ length: count }, (_, index) => candidateOf(key, index, count)),
    ),
    ...practised.map(([key, fate], index) => learnerOf(key, fate, index)),
  ];
  const load = (statement: string) =>
    client.query(statement, [merchants.main.id, JSON.stringify(candidates)]);
  await load(`
    insert into profile (id, merchant_id, role, name, email, email_key, created_at)
    select profile_id, $1, 'candidate', name, email, email_key, created_at
    from jsonb_to_recordset($2) as c (profile_id uuid, name text, email text, email_key text, created_at timestamptz)
    on conflict do nothing`);
  await load(`
    insert into enrolment (id, merchant_id, environment, interview_id, profile_id, name, email, email_key, external_id,
      invited_at, source, created_at, updated_at)
    select enrolment_id, $1, 'production', interview_id, profile_id, name, email, email_key, external_id, created_at, 'invited',
      created_at, created_at
    from jsonb_to_recordset($2) as c (enrolment_id uuid, interview_id uuid, profile_id uuid, name text, email text,
      email_key text, external_id text, created_at timestamptz)`);
  await seedResults(
    client,
    candidates.flatMap(({ result }) => result ?? []),
  );
}

function candidateOf(key: string, index: number, count: number) {
  const first = firstNames[(index * 7 + key.length) % firstNames.length] ?? '';
  const last = lastNames[(index * 5 + key.length) % lastNames.length] ?? '';
  const local = `${first}.${last}.${key}${index}`
    .normalize('NFD')
    .replaceAll(/[^\w.]/g, '')
    .toLowerCase();
  const email = `${local}@candidates.example`;
  const createdAt = firstDay + Math.round(((lastDay - firstDay) * index) / count);
  const fate = fates[index % fates.length] ?? 'none';
  return {
    profile_id: fixedId(`candidate ${email}`),
    enrolment_id: fixedId(`enrolment ${key} ${index}`),
    interview_id: interviewId(key),
    name: `${first} ${last}`,
    email,
    email_key: emailKey(email),
    external_id: `crm-${key}-${1000 + index}`,
    created_at: new Date(createdAt).toISOString(),
    result:
      fate === 'none' ? undefined : { key, index, fate, takenAt: createdAt + (1 + (index % 5)) * dayMs },
  };
}

function learnerOf(key: string, fate: 'undecided' | 'started', index: number) {
  const { id, name, email } = people.user;
  const takenAt = Date.UTC(2026, 5, 8 + index * 3, 16, 0);
  return {
    profile_id: id,
    enrolment_id: fixedId(`enrolment ${key} ${index}`),
    interview_id: interviewId(key),
    name,
    email,
    email_key: emailKey(email),
    external_id: null,
    created_at: new Date(takenAt - dayMs).toISOString(),
    result: { key, index, fate, takenAt },
  };
}
