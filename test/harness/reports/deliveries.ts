import { Connection, ScheduleClient, ScheduleNotFoundError } from '@temporalio/client';
import { z } from 'zod';
import { people } from '../../../local/seed/accounts';
import { deliveryScheduleId } from '../../../workflows/ids';
import { signIn } from '../identity/accounts';
import { infrastructure } from '../platform/infrastructure';
import { patientClient } from '../platform/patient-client';
import type { Platform } from '../platform/platform';
import { waitFor } from '../wait-for';
import { definitionOf } from './report-definition';

const mails = z.array(
  z.object({
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    categories: z.array(z.string()),
    custom_args: z.record(z.string(), z.string()),
    attachments: z.array(z.object({ filename: z.string(), type: z.string(), content: z.string() })),
  }),
);
type ReportMail = z.infer<typeof mails>[number];

const departments = {
  id: 'departments',
  type: 'table',
  dataset: 'interview_results',
  dimensions: ['department'],
  measures: ['completed', 'avg_score'],
};
const weekly = { every: 'week', format: 'csv', block_id: 'departments', recipients: [people.merchant.id] };

type LastRun = { outcome: string; message: string; delivered: number; bounced: number } | null;

/**
 * Signs in as the recruiter of the seed. Returns functions that create and schedule reports in this session, and
 * functions that read the Temporal Schedules and mails of these reports.
 */
export async function openDeliveries(platform: Platform) {
  const connection = await Connection.connect({ address: infrastructure().temporalAddress });
  const client = patientClient(connection);
  const schedules = new ScheduleClient({ connection });
  const { access_token: token } = await signIn(platform, 'merchant');
  const post = (name: string, body: object) => platform.call(name, { token, body });
  const handleOf = (id: string) => schedules.getHandle(deliveryScheduleId(id));
  const stateOf = async (id: string): Promise<'running' | 'paused' | 'none'> => {
    try {
      return (await handleOf(id).describe()).state.paused ? 'paused' : 'running';
    } catch (error) {
      if (error instanceof ScheduleNotFoundError) return 'none';
      throw error;
    }
  };
  return {
    token,
    post,
    create: async (title: string): Promise<string> =>
      String((await post('report-create', { definition: definitionOf(title, [departments]) })).body['id']),
    /**
     * Schedules a report and returns the schedule's id. By default, the report is mailed to the recruiter every week
     * as CSV.
     */
    schedule: async (id: string, changes: object = {}): Promise<string> =>
      String((await post('report-schedule', { id, ...weekly, ...changes })).body['schedule_id']),
    handleOf,
    stateOf,
    /** Waits until the Temporal Schedule is in this state. */
    until: (id: string, wanted: Awaited<ReturnType<typeof stateOf>>) =>
      waitFor(`the schedule to be ${wanted}`, async () => (await stateOf(id)) === wanted),
    /** Triggers a Temporal Schedule and returns the handle of the workflow that it starts. */
    trigger: async (id: string) => {
      const before = (await handleOf(id).describe()).info.numActionsTaken;
      await handleOf(id).trigger();
      const workflowId = await waitFor('the workflow', async () => {
        const { info } = await handleOf(id).describe();
        return info.numActionsTaken > before && info.recentActions.at(-1)?.action.workflow.workflowId;
      });
      return client.workflow.getHandle(workflowId);
    },
    lastRun: async (reportId: string): Promise<LastRun> => {
      const { body } = await platform.call('report-get', { token, query: { id: reportId } });
      return (body['schedules'] as { last_run: LastRun }[])[0]?.last_run ?? null;
    },
    /** Returns the mails with reports of this title that the provider has accepted. */
    mailed: async (title: string): Promise<ReportMail[]> =>
      mails.parse(await platform.fake('/mailbox')).filter(({ subject }) => subject.startsWith(title)),
    close: () => connection.close(),
  };
}
