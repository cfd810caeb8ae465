import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isCredentialError } from '../../db/platform/database';
import type { LiveCaller } from '../../db/platform/database';
import { recordListening } from '../../db/taking/public';
import type { LiveAttempt } from '../../db/taking/public';
import { ApiError } from '../platform/operation/api-error';
import { awaitTurnAfter, readAttempt, storeAnswer, withdrawTurn } from '../taking/public';
import type { Attempt, DecisionDeps } from '../taking/public';

type Stored = Awaited<ReturnType<typeof storeAnswer>>;
/** `revoked`: the link has ended. `refused`: the attempt has changed meanwhile. `away`: the platform does not respond. */
type Outcome<Value> = { kind: 'done'; value: Value } | { kind: 'revoked' | 'refused' | 'away' };
export type Interview = ReturnType<typeof openInterview>;

/** Work is repeated for so long while the database is away. The page keeps the recording of the answer. */
const insistMs = 20_000;
const pauseMs = 500;
/** As many as a visitor can type. */
const maxQuestionCharacters = 1_000;

/** What a conversation does with its attempt, in the scope of the candidate's link or of the visit of a public avatar. */
export function openInterview(
  deps: DecisionDeps,
  caller: LiveCaller,
  attempt: LiveAttempt,
  { log, model, pricePerMinute }: { log: Logger; model: string; pricePerMinute: number | null },
) {
  const isVisit = caller.kind === 'avatar_visit';

  async function once<Value>(work: () => Promise<Value>): Promise<Outcome<Value>> {
    try {
      return { kind: 'done', value: await work() };
    } catch (err) {
      if (isCredentialError(err)) return { kind: 'revoked' };
      if (err instanceof ApiError)
        return { kind: err.code === 'link_closed' || err.code === 'not_found' ? 'revoked' : 'refused' };
      log.warn({ err, result_id: attempt.result_id }, 'failed to reach the attempt of a live conversation');
      return { kind: 'away' };
    }
  }

  return {
    /** Repeats work until it succeeds, for at most 20 seconds. Ends early if `isOver`. */
    async insist<Value>(work: () => Promise<Value>, isOver: () => boolean): Promise<Outcome<Value>> {
      const endsAt = Date.now() + insistMs;
      for (;;) {
        const outcome = await once(work);
        if (outcome.kind !== 'away' || isOver() || Date.now() > endsAt) return outcome;
        await wait(pauseMs);
      }
    },
    read: (): Promise<Outcome<Attempt>> => once(() => readAttempt(deps, caller)),
    mustRead: (): Promise<Attempt> => readAttempt(deps, caller),
    /** True for the visit of a public avatar: its questions are not recorded, and end the visit if none is left. */
    isVisit,
    /** Stores what was heard: with the recording of an answer, or as the question of a visitor. */
    answer: (
      turnId: string,
      { recordingId, draft, durationMs }: { recordingId: string | null; draft: string; durationMs: number },
    ): Promise<Stored> =>
      storeAnswer(
        deps,
        caller,
        turnId,
        isVisit
          ? {
              kind: 'text',
              text: draft.slice(0, maxQuestionCharacters).toWellFormed(),
              recordingId: null,
              durationMs,
            }
          : { kind: 'recording', text: null, recordingId, durationMs },
        draft,
      ),
    /** Goes on after a turn that takes no answer. */
    skip: (turnId: string): Promise<Stored> =>
      storeAnswer(deps, caller, turnId, { kind: 'seen', text: null, recordingId: null, durationMs: null }),
    decide: (stored: Stored): Promise<Attempt> => awaitTurnAfter(deps, caller, stored),
    withdraw: (turnId: string): ReturnType<typeof withdrawTurn> => withdrawTurn(deps, caller, turnId),
    /** Records what listening has cost. The conversation goes on if that fails. */
    recordListening(listenedMs: number): void {
      if (listenedMs === 0) return;
      const costUsd = pricePerMinute === null ? null : (pricePerMinute * listenedMs) / 60_000;
      void deps.database
        .write(caller, (trx) => trx.count(recordListening(attempt, { model, listenedMs, costUsd })))
        .catch((err: unknown) => log.warn({ err }, 'failed to record what listening costs'));
    },
  };
}
