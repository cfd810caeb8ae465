import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { WorkflowFailedError } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';

const folder = path.join(__dirname, '../histories');
const isRecording = process.env['RECORD_HISTORIES'] === '1';
const compared = new Set<string>();

type Recorded = { events: { eventType: string }[] };
const eventsOf = (json: string) => (JSON.parse(json) as Recorded).events;
const typesOf = (json: string) => eventsOf(json).map(({ eventType }) => eventType);
const oneEventPerLine = (json: string) =>
  `{"events":[\n${eventsOf(json)
    .map((event) => JSON.stringify(event))
    .join(',\n')}\n]}\n`;

/** Waits for the end of the workflow, and returns its status. */
export async function statusAtEnd(handle: WorkflowHandle): Promise<string> {
  const outcome: unknown = await handle.result().then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(outcome === undefined || outcome instanceof WorkflowFailedError).toBe(true);
  return (await handle.describe()).status.name;
}

/**
 * Checks that the workflow's history has the same types of events as the recorded one. The history must contain `id`
 * and no personal data. `inAnyOrder` is for workflows whose activities run at the same time: the order of the events
 * and the events of workflow tasks are then ignored.
 */
export async function expectRecorded(
  file: string,
  handle: WorkflowHandle,
  id: string,
  { inAnyOrder = false } = {},
): Promise<void> {
  const json = historyToJSON(await handle.fetchHistory());
  const readable = json.replaceAll(/"data": ?"([^"]+)"/g, (_all, data: string) =>
    Buffer.from(data, 'base64').toString(),
  );
  expect(readable).toContain(id);
  expect(readable).not.toContain('Quetzal');
  expect(readable.replaceAll(/question-?video/gi, '')).not.toMatch(
    /question|Amsterdam|Northwind|mail\.example|127\.0\.0\.1|words/i,
  );
  const recorded = path.join(folder, file);
  if (isRecording) {
    mkdirSync(path.dirname(recorded), { recursive: true });
    writeFileSync(recorded, oneEventPerLine(json.replaceAll(path.resolve(__dirname, '../..'), '')));
  }
  const [types, recordedTypes] = [typesOf(json), typesOf(readFileSync(recorded, 'utf8'))];
  const withoutOrder = (all: string[]) => all.filter((type) => !type.includes('WORKFLOW_TASK')).sort();
  if (inAnyOrder) expect(withoutOrder(types)).toEqual(withoutOrder(recordedTypes));
  else expect(types).toEqual(recordedTypes);
  compared.add(file);
}

/** True if the workflow only waits: it has started a timer, and no workflow task and no activity is pending. */
export const isWaiting = async (handle: WorkflowHandle): Promise<boolean> => {
  const { raw } = await handle.describe();
  if ((raw.pendingActivities ?? []).length > 0 || raw.pendingWorkflowTask) return false;
  const { events } = await handle.fetchHistory();
  return (events ?? []).some(({ timerStartedEventAttributes: timer }) => timer);
};

/** Returns in one text which timers were started and fired, in the order of the history. */
export const timersOf = async (handle: WorkflowHandle) =>
  typesOf(historyToJSON(await handle.fetchHistory()))
    .filter((type) => /TIMER_(STARTED|FIRED)/.test(type))
    .map((type) => type.replace('EVENT_TYPE_TIMER_', ''))
    .join(' ');

/** Returns the recorded histories that belong to a test file but that its tests have not compared. */
export const findUncompared = (isOwn: (file: string) => boolean): string[] =>
  readdirSync(folder)
    .flatMap((workflow) => readdirSync(path.join(folder, workflow)).map((name) => `${workflow}/${name}`))
    .filter((file) => isOwn(file) && !compared.has(file));
