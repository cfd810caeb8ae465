import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startBrowser } from './browser';
import { createClient } from './demo/client';
import { demonstrateInterview } from './demo/interview';
import { demonstrateIssue } from './demo/issue';
import { demonstrateWebhook } from './demo/webhook';
import type { StackDescription } from './stack-file';

/** `npm run demo`: shows on the running stack what candidates, operators and support see. */
async function main(): Promise<void> {
  const folder = path.resolve(process.env['LOCAL_DIR'] ?? '.local');
  const stack = readStack(folder);
  const browser = await startBrowser(path.join(folder, 'browser'));
  const context = { stack, folder, browser, client: createClient(stack) };
  const say = (line: string) => console.log(`  ${line}`);
  try {
    console.log('An interview, from its creation to a second attempt:');
    await demonstrateInterview(context, say);
    console.log('A webhook that fails, waits and is retried:');
    await demonstrateWebhook(context, say);
  } finally {
    await browser.close();
  }
  console.log('A technical issue that is queued while support is away, and then sent:');
  await demonstrateIssue(context, say);
}

function readStack(folder: string): StackDescription {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'stack.json'), 'utf8')) as StackDescription;
  } catch {
    throw new Error('No stack is running here: npm start makes one, LOCAL_DIR names another.');
  }
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
