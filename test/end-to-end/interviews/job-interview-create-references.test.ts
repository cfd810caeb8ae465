import { openSession, withAdmin } from '../../../db/platform/credentials';
import { knowledgeBases, people } from '../../../local/seed/accounts';
import { countStored } from '../../harness/interviews/interview-rows';
import { newInterview } from '../../harness/platform/platform';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

const unknown = '0198ffff-0000-7000-8000-000000000000';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
});

const create = (more: Record<string, unknown>, token?: string) =>
  platform.call('job-interview-create', {
    body: newInterview(platform.stack, { interview_length: 1, ...more }),
    ...(token ? { token } : {}),
  });
const knowledgeBaseOf = (merchantId: string) =>
  knowledgeBases.find((base) => base.merchantId === merchantId)?.id;
const tokenFor = (environment: 'uat' | 'development' | 'demo') =>
  withAdmin(platform.database.adminUrl, async (client) => {
    const signing = { signingKeys: platform.signingKeysFile, issuer: platform.stack.origin };
    return (await openSession(client, people.merchant_owner, environment, signing)).access_token;
  });

describe('job-interview-create: ids among the fields', () => {
  it.each([
    ['knowledge_base_store_id', () => knowledgeBaseOf(platform.stack.sub_merchant_id)],
    ['recruiter_profile_id', () => people.sub_merchant_owner.id],
    // These people belong to the merchant but are not recruiters.
    ['recruiter_profile_id', () => people.merchant_selection.id],
    ['recruiter_profile_id', () => people.candidate.id],
  ])(
    'returns the reply of an unknown id for %s of another merchant, and stores nothing',
    async (field, foreignId) => {
      const before = await countStored(platform.database);
      const foreign = await create({ [field]: foreignId() });
      const absent = await create({ [field]: unknown });
      expect(foreignId()).toBeDefined();
      expect(foreign.status).toBe(422);
      expect(foreign.body.name).toBe(field);
      expect(foreign.text).toBe(absent.text);
      expect(await countStored(platform.database)).toEqual(before);
    },
  );

  it.each(['offline_avatar_1', 'offline_avatar_2'] as const)(
    'returns 422 for the template %s, which is closed for new interviews',
    async (type) => {
      const reply = await create({ interview_template_id: platform.stack.template_ids[type] });
      expect([reply.status, reply.body.name]).toEqual([422, 'interview_template_id']);
    },
  );

  it.each([
    ['offline_avatar_3', 'merchant'],
    ['interactive_voice', 'merchant_owner'],
  ] as const)(
    'accepts the template %s in any language, and a recruiter who is %s of the merchant',
    async (type, role) => {
      const created = await create({
        interview_template_id: platform.stack.template_ids[type],
        platform_language_code: 'ja',
        recruiter_profile_id: people[role].id,
      });
      const read = await platform.call('job-interview-get', {
        query: { position_id: String(created.body['interview_def_set_id']) },
      });
      expect(read.body).toMatchObject({
        interview_template_type: type,
        is_voice_only: type === 'interactive_voice',
        speech_language_code: 'ja-JP',
        recruiter_profile_id: people[role].id,
      });
    },
  );
});

describe('job-interview-create: the owner of the interview', () => {
  it('is the environment of the credential, and the others do not know the interview', async () => {
    const tokens = {
      uat: await tokenFor('uat'),
      development: await tokenFor('development'),
      demo: await tokenFor('demo'),
    };
    const made = { production: await create({}), uat: await create({}, tokens.uat) };
    const ids = [made.production, made.uat].map(({ body }) => String(body['interview_def_set_id']));
    const read = async (token: string | undefined) =>
      Promise.all(
        ids.map(
          async (position_id) =>
            (
              await platform.call('job-interview-get', {
                query: { position_id },
                ...(token ? { token } : {}),
              })
            ).body['environment'],
        ),
      );
    expect(await read(undefined)).toEqual(['production', undefined]);
    expect(await read(tokens.uat)).toEqual([undefined, 'uat']);
    expect(await read(tokens.development)).toEqual([undefined, undefined]);
    expect(await read(tokens.demo)).toEqual([undefined, undefined]);
  });

  it('is the merchant for which it was created, and others do not know the interview', async () => {
    const { tokens, sub_merchant_id, service_key } = platform.stack;
    const forSub = await create({ merchant_id: sub_merchant_id }, tokens.operator);
    const position_id = String(forSub.body['interview_def_set_id']);
    const read = (token: string, query: Record<string, string> = {}) =>
      platform.call('job-interview-get', { query: { position_id, ...query }, token });
    expect((await read(tokens.merchant_owner)).status).toBe(404);
    expect((await read(tokens.other_merchant_owner)).status).toBe(404);
    const seen = await read(service_key, { merchant_id: sub_merchant_id });
    expect(seen.body['merchant_id']).toBe(sub_merchant_id);
  });
});
