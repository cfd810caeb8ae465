import type { VNode } from 'preact';
import { z } from 'zod';
import { intervals, listRecipients } from '../../../db/reports/report-schedules';
import type { FileFormat, Recipient } from '../../../db/reports/report-schedules';
import { ApiError } from '../../platform/operation/api-error';
import { PostButton, Submit } from '../../platform/site/buttons';
import { callOperation, replyOf } from '../../platform/site/call-operation';
import { Badge, TimeWithRelative, Panel, Table } from '../../platform/site/elements';
import type { Tone } from '../../platform/site/elements';
import { CheckboxList, SelectField, Form } from '../../platform/site/form';
import { FormId, formKey } from '../../platform/site/form-id';
import { sentText } from '../../platform/site/site';
import type { RequestData, Site } from '../../platform/site/site';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { reportGet } from '../report-get';
import { reportScheduleOperation } from '../report-schedule';
import type { ReportSchedule } from '../report-schedule-fields';

/** The maximum number of people whom the form offers as recipients. The operation accepts any person of the team. */
const maxRecipients = 200;
type Report = z.output<typeof reportGet.reply>;
const pathOf = (id: string) => `/reports/${id}`;
const idOf = ({ params }: RequestData) => params['id'] ?? '';

/** Adds the actions that change a report's mail schedules. The report's page lists the schedules with `ReportMails`. */
export function addReportMails(site: Site, deps: ConsoleDeps): void {
  const get = async (visit: ConsoleVisit, id: string) =>
    replyOf(await callOperation(deps, visit, reportGet, { id }));

  site.post('console-report-mail', '/reports/:id/mails', async (visit, sent) => {
    const id = idOf(sent);
    const error = await addSchedule(deps, visit, sent);
    if (!error) return { goTo: pathOf(id), flash: 'The report will be mailed.' };
    const report = await get(visit, id);
    const people = await readRecipients(deps, visit);
    return {
      title: report.title,
      at: '/reports',
      status: error.status,
      content: <ReportMails report={report} people={people} error={error} entered={enteredIn(sent)} />,
    };
  });

  site.post('console-report-mail-stop', '/reports/:id/mails/stop', async (visit, sent) => {
    const id = idOf(sent);
    const schedule_id = sentText(sent, 'schedule_id');
    replyOf(await callOperation(deps, visit, reportScheduleOperation, { id, every: 'off', schedule_id }));
    return { goTo: pathOf(id), flash: 'These mails are stopped.' };
  });

  site.post('console-report-mail-take', '/reports/:id/mails/take', async (visit, sent) => {
    const id = idOf(sent);
    const { schedules } = await get(visit, id);
    const schedule = schedules.find((each) => each.schedule_id === sentText(sent, 'schedule_id'));
    if (!schedule) return { goTo: pathOf(id), flash: 'These mails were stopped meanwhile.' };
    const { schedule_id, every, format, block_id, recipients } = schedule;
    const still = recipients.filter(({ name }) => name !== null).map(({ profile_id }) => profile_id);
    replyOf(
      await callOperation(deps, visit, reportScheduleOperation, {
        id,
        schedule_id,
        every,
        format,
        recipients: still,
        block_id,
      }),
    );
    return { goTo: pathOf(id), flash: 'The report is mailed with your rights from now on.' };
  });
}

/** What was chosen in the form. `file` is `pdf`, or `csv:` and the id of a block. */
type Entered = { every: string; file: string; recipients: readonly string[] };
const untouched: Entered = { every: 'week', file: 'pdf', recipients: [] };
const enteredIn = (sent: RequestData): Entered => ({
  every: sentText(sent, 'every'),
  file: sentText(sent, 'format'),
  recipients: [sent.form['recipients'] ?? []].flat(),
});

async function addSchedule(
  deps: ConsoleDeps,
  visit: ConsoleVisit,
  sent: RequestData,
): Promise<ApiError | undefined> {
  const { every: wish, file, recipients } = enteredIn(sent);
  // The operation also accepts `off`, which would stop all schedules, so this form accepts only the intervals.
  const every = intervals.find((each) => each === wish);
  if (every === undefined)
    return new ApiError('invalid_value', `every must be one of: ${intervals.join(', ')}.`, 'every');
  const [format, ...block] = file.split(':');
  const { error } = await callOperation(
    deps,
    visit,
    reportScheduleOperation,
    {
      id: idOf(sent),
      every,
      format: format as FileFormat,
      recipients: [...recipients],
      ...(block.length > 0 ? { block_id: block.join(':') } : {}),
    },
    { key: formKey(sent) },
  );
  return error;
}

/** Reads the people whom the form offers as recipients. The list is empty for a visitor who cannot edit reports. */
export const readRecipients = (deps: ConsoleDeps, visit: ConsoleVisit): Promise<Recipient[]> =>
  deps.database.query(visit.caller(), listRecipients(maxRecipients));

type Props = { report: Report; people: readonly Recipient[]; error?: ApiError; entered?: Entered };

/** Lists the mail schedules of a report, with a form that adds a schedule. */
export function ReportMails({ report, people, error, entered = untouched }: Props): VNode {
  const { id, schedules } = report;
  return (
    <Panel title="Mail this report">
      {schedules.length > 0 && <Schedules report={report} />}
      <details open={error !== undefined}>
        <summary>{schedules.length > 0 ? 'Add a schedule' : 'Schedule mails'}</summary>
        <p class="soft small">Recipients see what you see in this report, with your saved filters.</p>
        <Form
          path={`${pathOf(id)}/mails`}
          names={['every', 'format', 'recipients']}
          error={error}
          aliases={{ block_id: 'format' }}
        >
          <FormId />
          <SelectField name="every" label="Schedule" value={entered.every} options={intervalOptions} />
          <SelectField name="format" label="File" value={entered.file} options={formatOptions(report)} />
          <CheckboxList
            name="recipients"
            label="Recipients"
            options={people.map((person) => ({ value: person.id, label: person.name }))}
            checked={entered.recipients}
          />
          <Submit isPlain>Save schedule</Submit>
        </Form>
      </details>
    </Panel>
  );
}

const intervalOptions = [
  { value: 'week', label: 'On Mondays at 07:00' },
  { value: 'month', label: 'On the first day of the month at 07:00' },
];

const storedBlocks = z.object({
  blocks: z.array(z.object({ id: z.string(), type: z.string(), title: z.string().optional() })),
});

const blocksOf = ({ definition }: Report) => storedBlocks.catch({ blocks: [] }).parse(definition).blocks;

/** Returns the choices of the file: a PDF of all blocks, or a CSV file with the rows of one block. */
const formatOptions = (report: Report) => [
  { value: 'pdf', label: 'PDF, the whole report' },
  ...blocksOf(report)
    .filter(({ type }) => type !== 'text')
    .map(({ id, title }) => ({ value: `csv:${id}`, label: `CSV, ${title ?? id}` })),
];

function Schedules({ report }: { report: Report }): VNode {
  const { id, schedules } = report;
  const titleOfBlock = (block_id: string) =>
    blocksOf(report).find((block) => block.id === block_id)?.title ?? block_id;
  return (
    <Table
      caption="Scheduled mails"
      columns={['Mail', 'To', 'Next', 'Latest', '']}
      rows={schedules.map((schedule) => [
        <>
          {schedule.every === 'week' ? 'Every week' : 'Every month'}, {schedule.format.toUpperCase()}
          {schedule.block_id !== null && <span class="soft">: {titleOfBlock(schedule.block_id)}</span>}
          <br />
          <span class="soft small">As {schedule.created_by_name ?? 'an operator'} sees it</span>
        </>,
        schedule.recipients.map(({ name }) => name ?? 'Somebody who left').join(', '),
        schedule.next_run_at === null ? (
          <>
            <Badge tone="warn">Paused</Badge> <span class="small">{schedule.paused_because}</span>
          </>
        ) : (
          <TimeWithRelative at={schedule.next_run_at} />
        ),
        <LastRun run={schedule.last_run} />,
        <>
          {schedule.paused_because !== null && (
            <PostButton
              path={`${pathOf(id)}/mails/take`}
              label="Mail it as me"
              fields={{ schedule_id: schedule.schedule_id }}
            />
          )}
          <PostButton
            path={`${pathOf(id)}/mails/stop`}
            label="Stop"
            fields={{ schedule_id: schedule.schedule_id }}
          />
        </>,
      ])}
    />
  );
}

const outcomes: Record<string, [Tone, string]> = {
  sending: ['plain', 'Under way'],
  sent: ['good', 'Mailed'],
  failed: ['bad', 'Failed'],
  paused: ['warn', 'Paused'],
};

function LastRun({ run }: { run: ReportSchedule['last_run'] }): VNode {
  if (run === null) return <span class="soft">Not yet</span>;
  const [tone, label] = outcomes[run.outcome] ?? ['plain', run.outcome];
  return (
    <>
      <Badge tone={run.bounced > 0 ? 'warn' : tone}>{label}</Badge> <TimeWithRelative at={run.started_at} />
      <br />
      <span class="small">
        {run.message}
        {run.delivered > 0 && ` ${run.delivered} delivered.`}
      </span>
    </>
  );
}
