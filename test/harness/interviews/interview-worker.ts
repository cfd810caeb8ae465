import { randomBytes, randomUUID } from 'node:crypto';
import { createInterviewActivities } from '../../../activities/interviews/interviews';
import { createModel } from '../../../activities/providers/openai';
import { insertUnbuiltInterview } from '../../../db/interviews/interview-building';
import type { BuildInput, ModelCall } from '../../../db/interviews/interview-building';
import { makeServiceKey, withAdminConnection } from '../../../db/platform/credentials';
import { toStatement } from '../../../db/platform/database';
import type { Requester } from '../../../db/platform/database';
import { createSeal } from '../../../db/platform/sealed';
import { hashSecret } from '../../../db/platform/tokens';
import { merchants } from '../../../local/seed/accounts';
import { platformTemplateIds } from '../../../local/seed/templates';
import { openActivities } from '../platform/open-activities';
import { buildInput } from './unbuilt-interview';

export type InterviewWorker = Awaited<ReturnType<typeof startInterviewWorker>>;

/**
 * Runs, in this process, the real activities that build interviews, with their own database and the real model
 * client, which calls the fake provider.
 */
export async function startInterviewWorker(options: { modelUrl?: string } = {}) {
  const opened = await openActivities('openai');
  const { database, worker } = opened;
  const seal = createSeal(`test:${randomBytes(32).toString('base64')}`);
  const counted: ModelCall[] = [];
  const activities = createInterviewActivities({
    database: worker,
    seal,
    model: createModel({
      apiKey: 'test',
      baseUrl: options.modelUrl ?? `${opened.url}/openai/v1`,
      model: 'gpt-4.1-mini',
    }),
    onModelCall: (call) => void counted.push(call),
  });
  const key = await withAdminConnection(database.adminUrl, (client) =>
    makeServiceKey(client, merchants.main.id, 'production'),
  );
  /** A service key of the merchant that owns the interviews which this worker builds. */
  const caller: Requester = {
    kind: 'service_key',
    keyHash: hashSecret(key).toString('hex'),
    environment: 'production',
    askedMerchantId: merchants.main.id,
    roles: [],
    needsMerchant: true,
  };

  return {
    ...opened,
    seal,
    counted,
    activities,
    caller,
    /** Stores an unbuilt interview as a create operation does. `row` sets `deadline_at` and other columns. */
    insertUnbuilt: async (input: Partial<BuildInput> = {}, row: Record<string, unknown> = {}) => {
      const id = randomUUID();
      const { text, values } = toStatement(
        insertUnbuiltInterview({
          id,
          merchant_id: merchants.main.id,
          environment: 'production',
          name: 'Backend engineer',
          status: 'active',
          visibility: 'merchant_public',
          type: 'interview',
          interview_location: 'Amsterdam',
          interview_template_id: platformTemplateIds.interactive_avatar_1,
          platform_language_code: 'en',
          result_view: 'minimal',
          candidate_video_introduction: 'hidden',
          max_duration: 1_200,
          required_pronunciation: false,
          result_enable_edit_transcript: true,
          creation_parameters: { seniority_level: null },
          build_input: buildInput(input),
          ...row,
        }),
      );
      await database.rows(text, values);
      return id;
    },
    /** Moves the deadline to this many seconds from now. */
    setDeadline: (id: string, seconds: number) =>
      database.rows(`update interview set deadline_at = now() + $2 * interval '1 second' where id = $1`, [
        id,
        seconds,
      ]),
    find: async (id: string) =>
      (
        await database.rows<Record<string, unknown> & { built: boolean; steps: number; keys: number }>(
          `select i.*, i.built_at is not null as built,
             (select count(*)::int from interview_question l where l.interview_id = i.id) as steps,
             (select count(*)::int from embed_key k where k.interview_id = i.id) as keys
           from interview i where id = $1`,
          [id],
        )
      )[0],
    modelCalls: (id: string) =>
      database.rows<ModelCall>('select * from model_call where interview_id = $1 order by created_at, id', [
        id,
      ]),
    questionRecords: async () =>
      (await database.rows<{ count: number }>('select count(*)::int from question'))[0]?.count,
  };
}
