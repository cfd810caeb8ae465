import { sql } from '../platform/database';
import type { Query, Statement } from '../platform/statement';
import type { seniorityLevels } from '../platform/vocabulary';
import type { DefinitionToCompile } from './compiled-definition';
import type { Persona } from './persona';
import type { Expectations, HiringForCompany, QuestionInput } from './question-row';

/** The workflow's input for building an interview, stored in the row of the unbuilt interview. */
export type BuildInput = {
  /** The requested number of questions, at most the allowed maximum. Null lets the model choose the number. */
  question_count: number | null;
  questions: (QuestionInput & { id: string })[] | null;
  /**
   * The ids of existing question records of the merchant. They become steps of the interview without a copy or a
   * change.
   */
  shared_question_ids: string[];
  candidate_expectations_json: Expectations | null;
  seniority_level: (typeof seniorityLevels)[number] | null;
  interview_type: string;
  interview_tone: string;
  additional_context: Record<string, unknown> | null;
  hiring_for_company: HiringForCompany | null;
  include_rapport_question: boolean;
  include_closing_prompt: boolean;
  instructional_video: boolean;
  instructional_video_custom_text: string | null;
  welcome_message: string | null;
  thank_you_message: string | null;
  use_enhanced_expectations: boolean;
  is_embedded: boolean;
  /** These fields are missing in rows that an earlier release stored. */
  embed_origins?: string[];
  /** The given parts of the character that the AI plays. Null for types without one. */
  persona?: Partial<Persona> | null;
};

/** The model's output after validation. */
export type InterviewDraft = {
  description: string;
  description_long: string;
  seniority_level: string;
  candidate_expectations: Expectations;
  /** The character that the AI plays. Only for the types that have one. */
  persona?: Persona | undefined;
  questions: {
    question: string;
    candidate_expectations: Expectations;
    /** The options of a multiple choice. Null for an open question, missing if the request wants none. */
    choice?: { right: string; wrong: string[] } | null | undefined;
  }[];
};

export type UnbuiltInterview = DefinitionToCompile & {
  id: string;
  merchant_id: string;
  merchant_name: string;
  environment: string;
  name: string;
  visibility: string;
  interview_location: string;
  interview_department: string | null;
  candidate_expectations: string | null;
  description: string | null;
  interview_description_long: string | null;
  creation_parameters: Record<string, unknown>;
  knowledge_base_text: string | null;
  build_input: BuildInput;
  draft: InterviewDraft | null;
  /**
   * Milliseconds until the deadline, by the database's clock. After the deadline, the workflow may not store the
   * interview.
   */
  remaining_ms: number;
};

export type ReferenceCheck = {
  id: string;
  template_usable: boolean | null;
  /** Null if the merchant has no such knowledge base. */
  knowledge_base_status: 'active' | 'archived' | null;
  recruiter_known: boolean;
};

/**
 * Returns a new id, and checks what a create request names: whether the template is usable, the state of
 * the knowledge base, and whether the person can be a recruiter.
 */
export const checkReferences = (
  templateId: string | null,
  knowledgeBaseId: string | null,
  recruiterProfileId: string | null,
): Statement<ReferenceCheck> => ({
  name: 'check_references',
  text: `
    select uuidv7() as id,
      (select usable from interview_template where id = $1::uuid) as template_usable,
      (select status from knowledge_base where id = $2::uuid) as knowledge_base_status,
      app.is_recruiter($3::uuid) as recruiter_known`,
  values: [templateId, knowledgeBaseId, recruiterProfileId],
});

/** Stores the row of an unbuilt interview. Does nothing when the id exists, because the call may be retried. */
export const insertUnbuiltInterview = (row: Record<string, unknown>): Query =>
  sql('interview').insert(row).onConflict().ignore();

/**
 * Discards an unbuilt interview. Returns false when no unbuilt interview has this id, which means that the workflow
 * has already built it.
 */
export const discardUnbuiltInterview = (id: string): Statement<{ discarded: boolean }> => ({
  text: 'select app.discard_unbuilt_interview($1) as discarded',
  values: [id],
});

export type BuiltInterview = {
  interview_def_set_id: string;
  questions_generated: number | null;
  max_duration: number;
  embed_id: string | null;
  signing_key_sealed: Buffer | null;
};

/**
 * Returns the fields that the reply to a create request needs. Also finds an interview that was created with the
 * status `deleted`.
 */
export const findBuiltInterview = (id: string): Statement<BuiltInterview> => ({
  name: 'find_built_interview',
  text: `
    select i.id as interview_def_set_id, i.questions_generated, i.max_duration, k.id as embed_id, k.signing_key_sealed
    from interview i left join embed_key k
      on k.merchant_id = i.merchant_id and k.interview_id = i.id and k.revoked_at is null
    where i.id = $1`,
  values: [id],
});

/**
 * Returns the unbuilt interview with all data that its workflow needs. Set `lock` if the workflow is about to store
 * the built interview.
 */
export const findUnbuiltInterview = (
  id: string,
  options: { lock: boolean },
): Statement<UnbuiltInterview> => ({
  text: `
    select i.id, i.merchant_id, m.name as merchant_name, i.environment, i.name, i.visibility, i.type,
      i.interview_location, i.interview_department, i.platform_language_code, i.candidate_expectations, i.description,
      i.interview_description_long, i.creation_parameters, i.max_duration, i.max_followups, i.questions_random_subset,
      i.interview_conversation_speed, i.required_pronunciation, i.result_scoring, i.candidate_expectations_json, i.persona,
      t.type as interview_template_type, kb.text as knowledge_base_text, i.build_input, i.draft,
      extract(epoch from i.deadline_at - clock_timestamp()) * 1000 as remaining_ms
    from interview i
    join merchant m on m.id = i.merchant_id
    join interview_template t on t.id = i.interview_template_id
    left join knowledge_base kb on kb.merchant_id = i.merchant_id and kb.id = i.knowledge_base_store_id
    where i.id = $1 and i.built_at is null and i.deadline_at > now()
    ${options.lock ? 'for update of i' : ''}`,
  values: [id],
});

export const isInterviewBuilt = (id: string): Statement<{ built: boolean }> => ({
  text: 'select built_at is not null as built from interview where id = $1',
  values: [id],
});

export const saveDraft = (id: string, draft: InterviewDraft): Statement => ({
  text: 'update interview set draft = $2 where id = $1 and built_at is null',
  values: [id, JSON.stringify(draft)],
});

export const markInterviewBuilt = (
  id: string,
  built: {
    description: string | null;
    interview_description_long: string | null;
    candidate_expectations_json: Expectations;
    creation_parameters: Record<string, unknown>;
    calc_definition_json: Record<string, unknown>;
    questions_generated: number | null;
    slug: string | null;
    persona: Persona | null;
  },
): Statement => ({
  text: `
    update interview set description = $2, interview_description_long = $3, candidate_expectations_json = $4,
      creation_parameters = $5, calc_definition_json = $6, questions_generated = $7, slug = $8, persona = $9,
      build_input = null, draft = null, built_at = now()
    where id = $1 and built_at is null`,
  values: [
    id,
    built.description,
    built.interview_description_long,
    JSON.stringify(built.candidate_expectations_json),
    JSON.stringify(built.creation_parameters),
    JSON.stringify(built.calc_definition_json),
    built.questions_generated,
    built.slug,
    built.persona === null ? null : JSON.stringify(built.persona),
  ],
});

/**
 * Deletes interviews that are still unbuilt two minutes after their deadline. They are left over if the create
 * request ended without discarding them.
 */
export const deleteAbandonedInterviews: Statement = {
  text: `delete from interview where built_at is null and deadline_at < now() - interval '2 minutes'`,
};

/**
 * A recorded call of the model. `result_id` and `attempt` name the attempt of the candidate for whom the model was
 * called, if any.
 */
export type ModelCall = {
  merchant_id: string;
  interview_id: string;
  purpose:
    | 'interview_draft'
    | 'next_turn'
    | 'follow_up_focus'
    | 'candidate_reply'
    | 'avatar_reply'
    | 'transcription'
    | 'speech'
    | 'question_video'
    | 'answer_assessment'
    | 'session_assessment'
    | 'resume_assessment'
    | 'knowledge_comparison'
    | 'result_summary'
    | 'listening';
  result_id: string | null;
  attempt: number | null;
  prompt_version: string;
  model: string;
  prompt_tokens: number | null;
  completion_tokens: number | null;
  duration_ms: number;
  /** Set only if the price of the call is known. */
  cost_usd?: number | null;
  outcome: 'accepted' | 'rejected' | 'refused' | 'failed';
};

export const insertModelCall = (call: ModelCall): Statement => ({
  text: `
    insert into model_call (merchant_id, interview_id, purpose, result_id, attempt, prompt_version, model, prompt_tokens,
      completion_tokens, duration_ms, outcome, cost_usd)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
  values: [
    call.merchant_id,
    call.interview_id,
    call.purpose,
    call.result_id,
    call.attempt,
    call.prompt_version,
    call.model,
    call.prompt_tokens,
    call.completion_tokens,
    call.duration_ms,
    call.outcome,
    call.cost_usd ?? null,
  ],
});
