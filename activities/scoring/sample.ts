import type { Database } from '../../db/platform/database';
import type { AttemptInput } from '../../db/scoring/attempt-input';
import type { RunKey } from '../../db/scoring/runs';
import { insertSample, listSamples } from '../../db/scoring/samples';
import type { SampleSubject } from '../../db/scoring/samples';
import type { Model } from '../providers/openai';
import { ProviderError } from '../providers/provider-error';
import type { AttemptOfCall, CallRecorder } from '../taking/public';
import { promptVersionOf, callPurposeOf } from './prompt-names';
import type { KnowledgeBaseComparison, NoJudgementsReason, Sample, RankedFindingsReply } from './types';

/**
 * How an activity ended: `done`, `away` if the model is unavailable at the moment, `rejected` if our request is wrong,
 * so that another attempt would fail too, or `stale` if the run is no longer the latest.
 */
export type ScoringOutcome =
  | { state: 'done' | 'stale' }
  | { state: 'rejected'; reason: string }
  | { state: 'away'; reason: string; retry_after_ms: number };

type RecordedModel = Pick<Model, 'complete' | 'name'>;

/**
 * Returns a function that makes the missing samples of a subject in parallel and stores each as soon as it is
 * complete. After a lost worker, the retry therefore makes only the samples that are still missing. A sample is one
 * assessment by the model. With `isProbe`, the model was away: the first sample is then made alone, and the others only
 * if it succeeds.
 */
export function createSampler({
  database,
  model,
  beginCall,
}: {
  database: Pick<Database, 'writeAsWorker' | 'queryAsWorker'>;
  model: Pick<Model, 'complete' | 'name'>;
  beginCall: CallRecorder;
}) {
  return async (
    key: RunKey,
    input: AttemptInput,
    subject: SampleSubject,
    { numbers, isProbe }: { numbers: readonly number[]; isProbe: boolean },
    make: (
      model: RecordedModel,
      number: number,
    ) => Promise<Sample | RankedFindingsReply | KnowledgeBaseComparison>,
  ): Promise<ScoringOutcome> => {
    const { merchant_id } = input;
    const stored = await database.queryAsWorker(listSamples(key, merchant_id, subject));
    const missing = numbers.filter((number) => !stored.some((sample) => sample.number === number));
    const makeAll = (some: readonly number[]) =>
      Promise.allSettled(
        some.map(async (number) => {
          const sample = await make(
            withRecordedCalls(model, beginCall, { ...key, merchant_id, interview_id: input.interview_id }),
            number,
          ).catch((error: unknown) => {
            const refusal = refusalOf(error);
            if (refusal) return refusedSample(model.name, subject, refusal);
            throw error;
          });
          await database.writeAsWorker((trx) =>
            trx.count(insertSample(key, merchant_id, { ...subject, number, sample })),
          );
        }),
      );
    const probes = isProbe ? missing.slice(0, 1) : [];
    const probed = await makeAll(probes);
    const isBack = probed.every(({ status }) => status === 'fulfilled');
    const ended = isBack ? await makeAll(missing.slice(probes.length)) : probed;
    const errors = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    const unexpected = errors.find((error) => !(error instanceof ProviderError));
    if (unexpected !== undefined) throw unexpected;
    const failed = errors.filter((error) => error instanceof ProviderError);
    const wrong = failed.find(isRequestWrong);
    if (wrong) {
      const code = wrong.code === undefined ? '' : ` (${wrong.code})`;
      return { state: 'rejected', reason: `${wrong.message}${code}` };
    }
    const [away] = failed;
    if (!away) return { state: 'done' };
    return { state: 'away', reason: away.message, retry_after_ms: away.retryAfterMs ?? 0 };
  };
}

/** Returns the model with a `complete` that records every call about an attempt. */
export const withRecordedCalls = (
  model: RecordedModel,
  beginCall: CallRecorder,
  { merchant_id, interview_id, result_id, attempt }: AttemptOfCall,
): RecordedModel => ({
  name: model.name,
  complete: async (request) => {
    const record = beginCall({
      merchant_id,
      interview_id,
      result_id,
      attempt,
      purpose: callPurposeOf(request.name),
      prompt_version: promptVersionOf(request.name),
      model: model.name,
    });
    const answer = await model.complete(request).catch(async (error: unknown) => {
      await record('failed');
      throw error;
    });
    await record(answer.content === null ? 'refused' : 'accepted', answer);
    return answer;
  },
});

/** The provider's error codes that mean that the model cannot judge what the candidate said. */
const refusals: Readonly<Record<string, NoJudgementsReason>> = {
  content_filter: 'refused',
  context_length_exceeded: 'too_long',
};
const refusalOf = (error: unknown): NoJudgementsReason | undefined =>
  error instanceof ProviderError && error.kind === '400' ? refusals[error.code ?? ''] : undefined;

/**
 * Wrong credentials, unpaid bills, and a wrong address or name of the model are not errors of the request. The run waits
 * until they are resolved.
 */
const settingErrors: ReadonlySet<string> = new Set(['401', '402', '403', '404']);
const isRequestWrong = ({ retryable, kind }: ProviderError): boolean =>
  !retryable && !settingErrors.has(kind);

/**
 * Returns the sample that is stored if the model does not judge what was said. It has no evidence, only the reason.
 */
const refusedSample = (
  model: string,
  { subject }: SampleSubject,
  refused: NoJudgementsReason,
): Sample | RankedFindingsReply | KnowledgeBaseComparison => {
  const call = { model, prompt_tokens: 0, completion_tokens: 0, prompt_version: '', prompt_hash: '' };
  if (subject === 'comparison') return { ...call, contradictions: [], refused };
  if (subject === 'summary') return { ...call, order: [], key_statement: null, refused };
  return { ...call, judgements: [], instructs_the_assessor: false, repaired: 0, refused };
};
