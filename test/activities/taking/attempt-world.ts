import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createModel } from '../../../activities/providers/openai';
import { createVoice } from '../../../activities/providers/voice';
import { createEnoughEvidenceCheck } from '../../../activities/scoring/enough';
import { createAttemptActivities } from '../../../activities/taking/attempts';
import type { DecidedTurn } from '../../../activities/taking/attempts';
import type { ModelCall } from '../../../db/interviews/public';
import type { GivenAnswer } from '../../../db/taking/attempts';
import { startFakes } from '../../../local/fakes/server';
import { createTakingWorld, openTurn } from '../../db/taking/taking-world';
import type { Link, StepRow } from '../../db/taking/taking-world';
import { atEnd } from '../../harness/at-end';
import { fakesAt } from '../../harness/platform/fakes';
import { openTemporaryObjects } from '../../harness/platform/temporary-objects';

export type AttemptWorld = Awaited<ReturnType<typeof startAttemptWorld>>;

export const interactiveVoice = '0198a000-0000-7000-8000-000000000006';
export const rubric = {
  weak: ['Names a project from the past'],
  moderate: ['Explains the own part in the project'],
  strong: ['Backs the result of the project with numbers or feedback'],
};
/** An answer so long that the fake model asks no follow-up after it. */
export const longAnswer =
  'I planned the move of our orders to a new system, and my part was the data, which I checked twice.';

/** Creates a database with interviews to take, and the real activities of attempts, which call the fake model. */
export async function startAttemptWorld(options: { modelUrl?: string } = {}) {
  const [world, fakes, { objects }] = await Promise.all([
    createTakingWorld(),
    startFakes({ port: 0 }),
    openTemporaryObjects(),
  ]);
  atEnd(fakes.close);
  const calls = fakesAt(fakes.url);
  const provider = { apiKey: 'test', baseUrl: options.modelUrl ?? `${fakes.url}/openai/v1` };
  const modelCalls: ModelCall[] = [];
  const decisions: Pick<DecidedTurn, 'outcome' | 'source'>[] = [];
  const dropped: string[] = [];
  const joinedTurns = new EventEmitter();
  const model = createModel({ ...provider, model: 'gpt-4.1-mini' });
  const onModelCall = (call: ModelCall) => void modelCalls.push(call);
  const activities = createAttemptActivities({
    database: world.worker,
    objects,
    joinedTurns,
    model,
    voice: createVoice({ ...provider, speechModel: 'tts-1', transcriptionModel: 'gpt-4o-mini-transcribe' }),
    isEnough: createEnoughEvidenceCheck({ database: world.worker, model, onModelCall }),
    onModelCall,
    onDecision: ({ outcome, source }) => void decisions.push({ outcome, source }),
    onDropped: (problem) => void dropped.push(problem),
  });

  /**
   * Creates an interview with the template `interactive_voice`, begins an attempt and answers the welcome, so that
   * the first question is open.
   */
  async function begin(questions: StepRow[], changes: Record<string, unknown> = {}) {
    const link = await world.open(
      questions.map((question) => ({ candidate_expectations_json: JSON.stringify(rubric), ...question })),
      { interview_template_id: interactiveVoice, max_followups: 1, ...changes },
    );
    await world.begin(link);
    const { attempt } = await world.answerOpen(link);
    return { link, result_id: attempt?.result_id ?? '', attempt: attempt?.attempt ?? 0 };
  }
  const openTurnOf = async (link: Link) => openTurn((await world.get(link)).attempt);
  /** Types an answer to the open turn. Returns the id of the turn and the outcome of the answer. */
  async function type(link: Link, text: string) {
    const { turn_id } = await openTurnOf(link);
    const outcome = await world.answer(link, turn_id, {
      kind: 'text',
      text,
      recordingId: null,
      durationMs: 900,
    });
    return { turn_id, ...outcome };
  }
  /** Answers the open turn with a stored recording in which the candidate says `text`. Returns the id of the turn. */
  async function say(
    link: Link,
    text: string,
    state: 'completed' | 'stored' = 'stored',
    {
      file,
      mediaType = 'audio/webm',
      ms = null,
    }: { file?: Buffer; mediaType?: string; ms?: number | null } = {},
  ) {
    const { turn_id } = await openTurnOf(link);
    const id = randomUUID();
    const [row] = await world.database.rows<{ path: string }>(
      `insert into recording (id, merchant_id, environment, result_id, attempt, kind, turn_id, media_type, verified_type, state, measured_ms)
       select $1, merchant_id, environment, result_id, attempt, 'turn', id, $4, $4, $3, $5
       from result_question where id = $2 returning path`,
      [id, turn_id, state, mediaType, ms],
    );
    const bytes = file ?? Buffer.from(`\u001a\u0045webm fake-transcript:${text}\0 the end`);
    await objects.put(row?.path ?? '', bytes);
    const given: GivenAnswer = { kind: 'recording', text: null, recordingId: id, durationMs: 2_000 };
    const outcome = await world.answer(link, turn_id, given);
    return { turn_id, recording: id, path: row?.path ?? '', ...outcome };
  }
  return {
    ...world,
    fakes,
    objects,
    joinedTurns,
    activities,
    calls: modelCalls,
    decisions,
    dropped,
    beginInterview: begin,
    openTurnOf,
    type,
    say,
    fault: (fault: Record<string, unknown>) => calls.fault({ provider: 'openai', ...fault }),
    clearFaults: calls.clearFaults,
    modelCalls: (resultId: string) =>
      world.database.rows<ModelCall>(
        'select * from model_call where result_id = $1 order by created_at, id',
        [resultId],
      ),
    requests: async () => (await calls.fake('/openai/requests')) as { messages: unknown }[],
  };
}
