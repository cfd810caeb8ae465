import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { makeConsoleLink, withAdminConnection } from '../../db/platform/credentials';
import { resultEvents } from '../../db/webhooks/vocabulary';
import { webhookRetriesId } from '../../workflows/ids';
import type { HeadlessBrowser } from '../browser';
import { people } from '../seed/accounts';
import type { StackDescription } from '../stack-file';
import { openDatabases, takeInterview } from './candidate';
import type { Client } from './client';

type Delivery = {
  id: string;
  event: string;
  attempts: number;
  last_status: number | null;
  next_attempt_at: string;
};
type Deliveries = { data: Delivery[] };

/**
 * Demonstrates a delivery that fails, waits in a workflow, is retried from the console and then succeeds. `say` gets
 * a line for each step. Throws when a step does not happen in time.
 */
export async function demonstrateWebhook(
  {
    stack,
    client,
    browser,
    folder,
  }: { stack: StackDescription; client: Client; browser: HeadlessBrowser; folder: string },
  say: (line: string) => void,
): Promise<void> {
  const name = `demo-${Date.now()}`;
  const sink = `${stack.fakes_url}/sink/${name}`;
  await client.put(`${sink}/answer`, { status: 500, body: 'The receiver is being repaired' });
  const endpoint = await client.post<{ id: string }>('webhook-endpoint-create', {
    url: sink,
    events: [...resultEvents],
    description: `The demo's, ${name}`,
  });
  say(`An endpoint that answers 500: ${stack.console_url}/endpoints/${endpoint.id}`);

  const result = await takeAnInterview(stack, client, `${name}@candidates.example`);
  say(`A candidate took the interview and submitted it: ${stack.console_url}/results/${result.result_id}`);

  // The second attempt is due after five seconds, the third after five minutes.
  const failed = await waitFor('the delivery to fail twice', async () => {
    const { data } = await client.get<Deliveries>('webhook-delivery-list', {
      endpoint_id: endpoint.id,
      state: 'retried',
    });
    return data.find(({ event, attempts }) => event === 'interview_result' && attempts === 2);
  });
  say(`Its delivery failed twice with ${failed.last_status} and waits until ${failed.next_attempt_at}.`);
  const workflow = encodeURIComponent(webhookRetriesId(endpoint.id));
  say(
    `It waits in a workflow of its endpoint: ${stack.temporal_ui_url}/namespaces/default/workflows/${workflow}`,
  );

  await client.put(`${sink}/answer`, { status: 200 });
  const pictures = path.join(folder, 'demo');
  mkdirSync(pictures, { recursive: true });
  const page = await browser.open();
  await signIn(page, stack);
  await page.goto(`${stack.console_url}/deliveries/${failed.id}`);
  await page.screenshot({ path: `${pictures}/waiting.png` });
  await press(page, 'Retry now');
  // The console updates its page without a reload.
  await page.waitForSelector('#standing .lead.good', { timeout: 30_000 });
  await page.screenshot({ path: `${pictures}/arrived.png` });
  say(
    `The receiver is well again. Retried from the page, it arrived: ${stack.console_url}/deliveries/${failed.id}`,
  );
  say(`Pictures of the page before and after: ${pictures}`);

  const received = await client.list<{ headers: Record<string, string> }>(`${sink}/requests`);
  const attempts = received.filter(({ headers }) => headers['webhook-id'] === failed.id);
  say(`The receiver saw ${attempts.length} attempts with the same webhook-id.`);
}

/** Registers a candidate for the active interview of the demo data, takes the interview and records the scores. */
async function takeAnInterview(stack: StackDescription, client: Client, email: string) {
  await client.post('job-interview-register-users', {
    interview_id: stack.ids.active_interview,
    users: [{ name: 'Demo Candidate', email }],
  });
  const enrolment = await withAdminConnection(stack.database_url, async (admin) => {
    const { rows } = await admin.query<{ id: string }>('select id from enrolment where email = $1', [email]);
    return rows[0]?.id ?? '';
  });
  const databases = openDatabases({ apiUrl: stack.database_url, workerUrl: stack.database_url });
  try {
    return await takeInterview(databases, { enrolment, until: 'scored' });
  } finally {
    await databases.close();
  }
}

async function signIn(page: Page, stack: StackDescription): Promise<void> {
  const link = await withAdminConnection(stack.database_url, (admin) =>
    makeConsoleLink(admin, people.merchant_owner, 'production', stack.origin),
  );
  await page.goto(link);
  await press(page, 'Sign in');
}

async function press(page: Page, label: string): Promise<void> {
  const button = await page.waitForSelector(`main button ::-p-text(${label})`);
  await Promise.all([page.waitForNavigation(), button?.click()]);
}

/** Repeats `look` twice a second until it returns something, and throws after half a minute. */
async function waitFor<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 60; tries++) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(500);
  }
  throw new Error(`Waited in vain for ${what}.`);
}
