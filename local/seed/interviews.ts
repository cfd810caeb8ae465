import type { Client } from 'pg';
import { toDraftingBrief } from '../../activities/interviews/interview-draft';
import { buildSteps } from '../../activities/interviews/interview-steps';
import { completePersona } from '../../activities/interviews/persona-draft';
import { compileDefinition } from '../../db/interviews/compiled-definition';
import { insertUnbuiltInterview, markInterviewBuilt } from '../../db/interviews/interview-building';
import type { UnbuiltInterview } from '../../db/interviews/interview-building';
import { playsPersona } from '../../db/interviews/persona';
import { slugFor } from '../../db/interviews/slug';
import { insertQuestions, linkSteps } from '../../db/interviews/steps';
import { createQueries } from '../../db/platform/database';
import type { Queries } from '../../db/platform/database';
import { composeDraft } from '../fakes/interview-draft';
import { merchants, people, seededOn } from './accounts';
import type { SeedMerchant } from './accounts';
import { fixedId, interviewId, positionIds } from './fixed-id';
import { seedInterviews } from './interview-list';
import type { SeedInterview } from './interview-list';
import { seedSessions } from './session-list';
import { platformTemplateIds } from './templates';

type Draft = ReturnType<typeof composeDraft>;

/** Seeds the interviews in the way in which the product builds them, with drafts from the fake model. */
export async function seedInterviewRows(client: Client): Promise<void> {
  const trx = createQueries(client);
  const dated = [
    ...seedInterviews.map((seed, index) => ({ seed, index, madeAt: daysAfter(seedingBegan, index * 7) })),
    // Catalogue sessions have earlier dates than interviews, because the catalogue is older.
    ...seedSessions.map((seed, index) => ({ seed, index, madeAt: daysAfter(seedingBegan, index * 4 - 90) })),
  ];
  for (const { seed, index, madeAt } of dated) {
    const { rowCount } = await client.query('select from interview where id = $1', [interviewId(seed.key)]);
    if (rowCount === 0) await seedInterview(trx, seed, index, madeAt);
  }
  await seedPosition(client, positionIds.main, merchants.main, 'Customer support agent', [
    'screening',
    'second',
  ]);
  await seedPosition(client, positionIds.other, merchants.other, 'Store manager, two stages', ['other']);
}

/** Seeds one interview with its steps. The steps come from `given` or, without it, from a draft of the fake model. */
export async function seedInterview(
  trx: Queries,
  seed: SeedInterview,
  index: number,
  madeAt: string,
  given?: Draft,
): Promise<void> {
  const id = interviewId(seed.key);
  const environment = seed.environment ?? 'production';
  const recruiter = seed.owner === merchants.main ? people.merchant.id : null;
  const row = {
    id,
    merchant_id: seed.owner.id,
    environment,
    name: seed.name,
    status: seed.status,
    visibility: seed.visibility ?? 'merchant_public',
    type: seed.type,
    interview_location: index % 2 ? 'Amsterdam' : 'Remote',
    interview_template_id: platformTemplateIds[seed.template],
    platform_language_code: seed.language ?? 'en',
    type_credit: seed.type === 'interview' || seed.type === 'assessment' ? null : 'interview_coach_manager',
    // Learners see their scores, candidates do not.
    result_view: seed.type === 'coaching' || seed.type === 'persona' ? 'full' : 'minimal',
    candidate_video_introduction: 'hidden',
    interview_department: seed.department ?? null,
    recruiter_profile_id: recruiter,
    tags: seed.tags ?? null,
    coach_plan: seed.plan ?? null,
    max_duration: (seed.minutes ?? 20) * 60,
    required_pronunciation: false,
    result_enable_edit_transcript: true,
    creation_parameters: {
      interview_type: 'pre-screening',
      interview_tone: 'relaxed',
      interview_length: 6,
      additional_context: null,
      include_rapport_question: false,
      include_closing_prompt: true,
      knowledge_base_store_id: null,
      seniority_level: null,
      hiring_for_company: null,
    },
  };
  await trx.count(insertUnbuiltInterview({ ...row, created_at: madeAt, updated_at: madeAt }));
  const unbuilt: UnbuiltInterview = {
    ...row,
    merchant_name: seed.owner.name,
    interview_template_type: seed.template,
    candidate_expectations: null,
    description: null,
    interview_description_long: null,
    knowledge_base_text: null,
    max_followups: null,
    questions_random_subset: null,
    interview_conversation_speed: null,
    result_scoring: null,
    candidate_expectations_json: null,
    persona: null,
    draft: null,
    remaining_ms: 0,
    build_input: {
      question_count: 6,
      questions: null,
      shared_question_ids: [],
      candidate_expectations_json: null,
      seniority_level: null,
      interview_type: 'pre-screening',
      interview_tone: 'relaxed',
      additional_context: null,
      hiring_for_company: null,
      include_rapport_question: false,
      include_closing_prompt: !playsPersona(seed.type),
      instructional_video: false,
      instructional_video_custom_text: null,
      welcome_message: null,
      thank_you_message: null,
      use_enhanced_expectations: false,
      is_embedded: false,
      persona: seed.persona ?? null,
    },
  };
  const brief = toDraftingBrief(unbuilt);
  const draft = given ?? composeDraft({ ...brief, given_questions: seed.lines });
  const persona = completePersona({ ...unbuilt, draft });
  const built = buildSteps({ ...unbuilt, draft }, (step) => fixedId(`question ${seed.key} ${step}`));
  await trx.count(insertQuestions(unbuilt, built.records));
  await trx.count(
    linkSteps(
      unbuilt,
      id,
      built.steps.map((step) => step.id),
    ),
  );
  await trx.count(
    markInterviewBuilt(id, {
      description: seed.description ?? draft.description,
      interview_description_long: brief.needs_description_long ? draft.description_long : null,
      candidate_expectations_json: draft.candidate_expectations,
      creation_parameters: { ...row.creation_parameters, seniority_level: draft.seniority_level },
      calc_definition_json: compileDefinition(
        { ...unbuilt, candidate_expectations_json: draft.candidate_expectations, persona },
        built.steps,
      ),
      questions_generated: built.generated,
      slug: slugFor(seed.name, id, row.visibility),
      persona,
    }),
  );
}

async function seedPosition(
  client: Client,
  id: string,
  owner: SeedMerchant,
  name: string,
  steps: string[],
): Promise<void> {
  await client.query(
    `insert into position (id, merchant_id, environment, name, status, visibility, interview_location, description,
       created_at, updated_at)
     values ($1, $2, 'production', $3, 'active', 'merchant_public', 'Amsterdam', $4, $5, $5) on conflict do nothing`,
    [
      id,
      owner.id,
      name,
      `${name}: a short screening first, then a conversation about how you work.`,
      seededOn,
    ],
  );
  for (const [index, key] of steps.entries())
    await client.query(
      `insert into position_step (merchant_id, environment, position_id, interview_id, step_order)
       values ($1, 'production', $2, $3, $4) on conflict do nothing`,
      [owner.id, id, interviewId(key), index + 1],
    );
}

/**
 * The creation time of the first interview. The others follow some days apart. The times are fixed, so that every
 * machine shows the same ones.
 */
const seedingBegan = Date.UTC(2026, 0, 5, 9, 30);
const daysAfter = (start: number, days: number) => new Date(start + days * 86_400_000).toISOString();
