import type { Client } from 'pg';
import { emailKey } from '../../db/email-key';
import { merchants } from './accounts';
import { fixedId } from './fixed-id';
import { interviewId } from './interviews';

const firstNames = [
  'Amira', 'Bence', 'Carla', 'Dmitri', 'Elif', 'Farid', 'Grace', 'Hana', 'Ivo', 'Jolanda', 'Kaito', 'Lena', 'Mateo',
  'Noor', 'Oskar', 'Priya', 'Quentin', 'Rosa', 'Stefan', 'Tomás',
]; // prettier-ignore
const lastNames = [
  'Almeida', 'Bakker', 'Castro', 'Dahl', 'Eriksen', 'Fontaine', 'Garcia', 'Horvat', 'Ito', 'Jovanović', 'Khan',
  'Larsen', 'Moreau', 'Nowak', 'Okafor', 'Petrov', 'Quinn',
]; // prettier-ignore

/** How many candidates of which interview. */
const shares: [key: string, count: number][] = [
  ['active', 160],
  ['screening', 90],
  ['second', 50],
];
/** What became of candidates, in turn: most have taken the interview, some are under way. */
const fates = [
  'decided', 'decided', 'none', 'undecided', 'decided', 'none', 'collected', 'decided', 'failed', 'none', 'undecided',
  'started',
] as const; // prettier-ignore
type Fate = (typeof fates)[number];

const dayMs = 86_400_000;
/** Two years, in which the candidates came evenly. */
const firstDay = Date.UTC(2024, 10, 4, 8, 0);
const lastDay = Date.UTC(2026, 9, 30, 17, 0);

/** A few hundred candidates over two years, and what became of them. */
export async function seedCandidates(client: Client): Promise<void> {
  const { rows } = await client.query('select from enrolment where merchant_id = $1 limit 1', [
    merchants.main.id,
  ]);
  if (rows.length > 0) return;
  const candidates = shares.flatMap(([key, count]) =>
    Array.from({ length: count }, (_, index) => candidateOf(key, index, count)),
  );
  const load = (statement: string) =>
    client.query(statement, [merchants.main.id, JSON.stringify(candidates)]);
  await load(`
    insert into profile (id, merchant_id, role, name, email, email_key, created_at)
    select profile_id, $1, 'candidate', name, email, email_key, created_at
    from jsonb_to_recordset($2) as c (profile_id uuid, name text, email text, email_key text, created_at timestamptz)
    on conflict do nothing`);
  await load(`
    insert into enrolment (id, merchant_id, environment, interview_id, profile_id, name, email, email_key, external_id,
      invited_at, created_at, updated_at)
    select enrolment_id, $1, 'production', interview_id, profile_id, name, email, email_key, external_id, created_at,
      created_at, created_at
    from jsonb_to_recordset($2) as c (enrolment_id uuid, interview_id uuid, profile_id uuid, name text, email text,
      email_key text, external_id text, created_at timestamptz)`);
  await load(`
    insert into interview_result (id, merchant_id, environment, interview_id, enrolment_id, status, interview_status,
      processing_status, recruiter_go_next_round, duration, charge, created_at, updated_at)
    select result_id, $1, 'production', interview_id, enrolment_id, status, interview_status, processing_status, decision,
      duration, charge, taken_at, taken_at
    from jsonb_to_recordset($2) as c (result_id uuid, interview_id uuid, enrolment_id uuid, status text,
      interview_status text, processing_status text, decision boolean, duration integer, charge text, taken_at timestamptz)
    where result_id is not null`);
}

function candidateOf(key: string, index: number, count: number): Record<string, unknown> {
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
    ...(fate === 'none' ? {} : resultOf(key, index, fate, createdAt + (1 + (index % 5)) * dayMs)),
  };
}

function resultOf(key: string, index: number, fate: Exclude<Fate, 'none'>, takenAt: number) {
  const isSubmitted = fate === 'decided' || fate === 'undecided';
  const isDone = isSubmitted || fate === 'collected';
  return {
    result_id: fixedId(`result ${key} ${index}`),
    status: isSubmitted ? 'active' : 'draft',
    interview_status: fate === 'started' || fate === 'failed' ? fate : 'completed',
    processing_status: isSubmitted ? 'completed' : null,
    decision: fate === 'decided' ? index % 3 === 0 : null,
    duration: isDone ? 6_000 + (index % 9) * 600 : null,
    // The months they were charged in are over.
    charge: isDone ? 'charged' : fate === 'failed' ? 'free' : null,
    taken_at: new Date(takenAt).toISOString(),
  };
}
