import { Client } from 'pg';
import { emailKey } from '../db/people/email-key';
import { environments } from '../db/platform/vocabulary';
import { knowledgeBases, merchants, people, seededOn, testRecipients, retentionDays } from './seed/accounts';
import { seedCandidates } from './seed/candidates';
import { seedCatalogue } from './seed/catalogue';
import { seedCredits } from './seed/credits';
import { seedInterviewRows } from './seed/interviews';

/**
 * Creates the demo's data, which is the same on every machine. Repeating it is safe: existing rows stay as they are,
 * even if they were changed. `adminUrl` is the administrator's login, which the product never uses.
 */
export async function seed(adminUrl: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query('begin');
    for (const { id, name, parentId } of Object.values(merchants))
      await client.query(
        `insert into merchant (id, name, parent_id, created_at, test_recipients, recording_retention_days,
           draft_retention_days, result_retention_days, agent_environments)
         values ($1, $2, $3, $4, $5, $6, $6, $6, $7) on conflict do nothing`,
        [id, name, parentId, seededOn, testRecipients, retentionDays, environments],
      );
    for (const { id, merchantId, role, name, email } of Object.values(people))
      await client.query(
        `insert into profile (id, merchant_id, role, name, email, email_key, created_at, activated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $7) on conflict do nothing`,
        [id, merchantId, role, name, email, emailKey(email), seededOn],
      );
    await client.query(
      `insert into merchant_access (merchant_id, profile_id, role, created_at) values ($1, $2, 'merchant', $3)
       on conflict do nothing`,
      [merchants.sub.id, people.operator.id, seededOn],
    );
    for (const { id, merchantId, name, text } of knowledgeBases)
      await client.query(
        `insert into knowledge_base (merchant_id, id, name, text, created_at) values ($1, $2, $3, $4, $5)
         on conflict do nothing`,
        [merchantId, id, name, text, seededOn],
      );
    await seedInterviewRows(client);
    await seedCatalogue(client);
    await seedCandidates(client);
    await seedCredits(client);
    // Deletes the outbox rows that would start the rendering of speech now. The seeded questions get their speech
    // only when their first candidate comes.
    await client.query(
      `delete from workflow_start where workflow_type = 'interviewSpeech' and created_at = now()`,
    );
    await client.query('commit');
    // Without this, the planner has no statistics until autovacuum has run.
    await client.query('analyze');
  } finally {
    await client.end();
  }
}
