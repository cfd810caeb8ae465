import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from './demo/client';
import { demonstrateIssue } from './demo/issue';
import { demonstrateWebhook } from './demo/webhook';
import type { StackDescription } from './stack-file';

/** `npm run demo`: shows on the running stack what operators and support see. */
async function main(): Promise<void> {
  const folder = path.resolve(process.env['LOCAL_DIR'] ?? '.local');
  const stack = readStack(folder);
  const context = { stack, folder, client: createClient(stack) };
  console.log('A webhook that fails, waits and is retried:');
  await demonstrateWebhook(context, (line) => console.log(`  ${line}`));
  console.log('A technical issue that is queued while support is away, and then sent:');
  await demonstrateIssue(context, (line) => console.log(`  ${line}`));
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
