import { ApplicationFailure, log } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import { compileDefinition } from '../../db/interviews/compiled-definition';
import { generateEmbedKey } from '../../db/interviews/embed-keys';
import {
  findUnbuiltInterview,
  insertModelCall,
  isInterviewBuilt,
  markInterviewBuilt,
  saveDraft,
} from '../../db/interviews/interview-building';
import type { InterviewDraft, ModelCall, UnbuiltInterview } from '../../db/interviews/interview-building';
import { slugFor } from '../../db/interviews/slug';
import { insertQuestions, linkSteps } from '../../db/interviews/steps';
import type { Database } from '../../db/platform/database';
import { errorFacts } from '../../db/platform/error-facts';
import type { Seal } from '../../db/platform/sealed';
import { failures } from '../../workflows/failures';
import { withHeartbeat } from '../platform/heartbeat';
import { choosePassages, passagesLimit } from '../platform/passages';
import { toFailure } from '../platform/provider-failure';
import type { Model, ModelMessage } from '../providers/openai';
import { ProviderError } from '../providers/provider-error';
import {
  draftJsonSchema,
  needsNoDraft,
  needsLongDescription,
  readDraft,
  toDraftingBrief,
} from './interview-draft';
import { buildSteps } from './interview-steps';
import { completePersona, personaDraftPrompt } from './persona-draft';
import * as prompts from './prompts';
import type { DraftingBrief } from './prompts';

export type InterviewActivities = ReturnType<typeof createInterviewActivities>;
type Input = { interview_id: string };

type InterviewActivityDeps = {
  database: Pick<Database, 'writeAsWorker'>;
  seal: Seal;
  model: Model;
  /** Called after every call to the model, for the metrics. */
  onModelCall: (call: ModelCall) => void;
};

/**
 * The time reserved for storing the interview. Of the 57 seconds of a creation, the model gets the other 45
 * (docs/interviews.md#time-limits-of-a-creation).
 */
const storingMs = 12_000;
const modelCallMs = 20_000;

/** The activities that build an interview. Each is safe to run twice. */
export function createInterviewActivities({ database, seal, model, onModelCall }: InterviewActivityDeps) {
  const findUnbuilt = (id: string): Promise<UnbuiltInterview | undefined> =>
    database.writeAsWorker(async (trx) => {
      const interview = await trx.maybeOne(findUnbuiltInterview(id, { lock: false }));
      if (!interview && !(await wasBuilt(trx, id))) throw gone();
      return interview;
    });

  /** Records a call to the model. Never throws, because a draft must not be lost when recording fails. */
  const recordCall = async (call: ModelCall): Promise<void> => {
    try {
      onModelCall(call);
      await database.writeAsWorker((trx) => trx.count(insertModelCall(call)));
    } catch (error) {
      log.warn('failed to record a model call', { error: errorFacts(error) });
    }
  };

  return {
    /**
     * Asks the model for the texts that the request left out and saves the draft in the interview's row. After an
     * unusable answer, the model is asked once more. Throws InterviewGone, ModelUnavailable, ModelAnswerUnusable.
     * Other failures are retried.
     */
    draftInterview: async ({ interview_id }: Input): Promise<void> => {
      const interview = await findUnbuilt(interview_id);
      if (!interview || interview.draft || needsNoDraft(interview)) return;
      const deadline = performance.now() + interview.remaining_ms - storingMs;
      const draft = await withHeartbeat((signal) => askForDraft(interview, deadline, signal));
      await database.writeAsWorker((trx) => trx.count(saveDraft(interview_id, draft)));
    },

    /** Writes the definition, questions, steps and embed key in one transaction, unless the deadline has passed. */
    storeInterview: async ({ interview_id }: Input): Promise<void> => {
      await database.writeAsWorker(async (trx) => {
        const interview = await trx.maybeOne(findUnbuiltInterview(interview_id, { lock: true }));
        if (!interview) {
          if (await wasBuilt(trx, interview_id)) return;
          throw gone();
        }
        const { build_input: input, draft } = interview;
        const { steps, records, generated } = buildSteps(interview);
        const persona = completePersona(interview);
        const rubric = input.candidate_expectations_json ?? draft?.candidate_expectations;
        if (!rubric)
          throw ApplicationFailure.nonRetryable('the interview has no draft', failures.modelAnswerUnusable);
        await trx.count(insertQuestions(interview, records));
        await trx.count(
          linkSteps(
            interview,
            interview_id,
            steps.map(({ id }) => id),
          ),
        );
        if (input.is_embedded)
          await trx.count(generateEmbedKey(seal, interview, interview_id, input.embed_origins).insert);
        await trx.count(
          markInterviewBuilt(interview_id, {
            description: interview.description ?? draft?.description ?? null,
            // A long description that the model wrote without being asked for one is ignored.
            interview_description_long: needsLongDescription(interview)
              ? draft?.description_long || null
              : interview.interview_description_long,
            candidate_expectations_json: rubric,
            creation_parameters: {
              ...interview.creation_parameters,
              interview_length: input.questions ? null : generated,
              seniority_level: input.seniority_level ?? draft?.seniority_level ?? null,
            },
            calc_definition_json: compileDefinition(
              { ...interview, candidate_expectations_json: rubric, persona },
              steps,
            ),
            questions_generated: input.questions ? null : generated,
            slug: slugFor(interview.name, interview_id, interview.visibility),
            persona,
          }),
        );
      });
    },
  };

  async function askForDraft(
    interview: UnbuiltInterview,
    deadline: number,
    signal: AbortSignal,
  ): Promise<InterviewDraft> {
    const brief = toDraftingBrief(interview);
    const { user, repair } = prompts.interviewDraftPrompt;
    const { version, system } = brief.given_persona ? personaDraftPrompt : prompts.interviewDraftPrompt;
    const messages: ModelMessage[] = [
      { role: 'system', content: system(brief) },
      { role: 'user', content: user(brief, passagesFor(brief, interview.knowledge_base_text)) },
    ];
    for (let call = 1; ; call++) {
      // Timers accept only whole milliseconds.
      const remainingMs = Math.floor(deadline - performance.now());
      if (remainingMs <= 0)
        throw ApplicationFailure.nonRetryable(
          'no time is left to call the model again',
          failures.modelUnavailable,
        );
      const startedAt = performance.now();
      const record = (outcome: ModelCall['outcome'], usage: Partial<ModelCall> = {}) =>
        recordCall({
          merchant_id: interview.merchant_id,
          interview_id: interview.id,
          purpose: 'interview_draft',
          result_id: null,
          attempt: null,
          prompt_version: version,
          model: model.name,
          prompt_tokens: null,
          completion_tokens: null,
          ...usage,
          duration_ms: Math.round(performance.now() - startedAt),
          outcome,
        });
      try {
        const timeoutMs = Math.min(modelCallMs, remainingMs);
        const answer = await model.complete({
          name: 'interview_draft',
          schema: draftJsonSchema(brief),
          messages,
          timeoutMs,
          signal,
        });
        const usage = {
          model: answer.model,
          prompt_tokens: answer.promptTokens,
          completion_tokens: answer.completionTokens,
        };
        if (answer.content === null) {
          await record('refused', usage);
          throw unusable('the model refused or ended its response early');
        }
        const { draft, problem } = readDraft(answer.content, brief);
        await record(draft ? 'accepted' : 'rejected', usage);
        if (draft) return draft;
        if (call === 2) throw unusable('the model returned an unusable response twice');
        // Some servers reject an empty message.
        if (answer.content) messages.push({ role: 'assistant', content: answer.content });
        messages.push({ role: 'user', content: repair(problem) });
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        await record('failed');
        throw toFailure(error, failures.modelUnavailable, { remainingMs: deadline - performance.now() });
      }
    }
  }
}

/** Chooses the passages of the knowledge base that relate to what the brief asks for. */
function passagesFor(brief: DraftingBrief, text: string | null): string[] {
  if (text === null) return [];
  const { name, department, candidate_expectations, given_description, given_questions } = brief;
  const asked = [name, department, candidate_expectations, given_description, ...(given_questions ?? [])];
  return choosePassages(text, asked.join('\n'), passagesLimit.draft);
}

async function wasBuilt(
  trx: Parameters<Parameters<Database['writeAsWorker']>[0]>[0],
  id: string,
): Promise<boolean> {
  return (await trx.maybeOne(isInterviewBuilt(id)))?.built === true;
}

const gone = () =>
  ApplicationFailure.create({
    message: 'the interview no longer waits to be built',
    type: failures.interviewGone,
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  });
const unusable = (message: string) => ApplicationFailure.nonRetryable(message, failures.modelAnswerUnusable);
