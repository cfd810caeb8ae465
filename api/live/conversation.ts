import type { LanguageCode } from '../../db/platform/vocabulary';
import type { Attempt } from '../taking/public';
import { createAnswerListener } from './answers';
import type { HeardAnswer } from './draft';
import type { ConnectionLostReason, OpenTranscription } from './hearing';
import type { Interview } from './interview';
import type { LiveEvent } from './live-metrics';
import { patienceOf } from './patience';
import type { LiveState, LowerStepReason, PageMessage, ServerMessage } from './protocol';
import { framesMs, hmMs, keptFrames, maxQuestionSeconds, pollMs, withdrawableMs, wordsMs } from './timings';
import { closeCodes } from './wire';

type Turn = NonNullable<Attempt['turn']>;

export type ConversationDeps = {
  interview: Interview;
  openHearing: OpenTranscription;
  /** The code of ISO 639 with which the provider listens. */
  isoCode: string;
  language: LanguageCode;
  patience: Parameters<typeof patienceOf>[0];
  tell: (message: ServerMessage) => void;
  close: (code: number) => void;
  onEvent: (event: LiveEvent) => void;
};

export type Conversation = ReturnType<typeof createConversation>;

/**
 * Conducts one attempt over one connection. All that lasts is in the database: after a crash, another process goes on with
 * the last answer that was stored.
 */
export function createConversation(deps: ConversationDeps) {
  const { interview, tell } = deps;
  const lowerStep = interview.isVisit ? 'type' : 'record';
  /** `sends`: the page sends its recording. `waits`: nothing is open, the attempt is read again soon. */
  let phase: 'speaks' | 'listens' | 'thinks' | 'sends' | 'waits' = 'waits';
  let turn: Turn | null = null;
  /** The answer to the turn before, while it can still be taken back. */
  let previous: HeardAnswer | undefined;
  let isOver = false;
  /** True if this connection has said a turn. */
  let hasSaid = false;
  let heardAt = Date.now();
  let kept: Buffer[] = [];
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const answers = createAnswerListener({
    ...deps,
    patience: patienceOf(deps.patience),
    onCaption: (turn_id, text) => tell({ type: 'caption', turn_id, text }),
    onGap: () => deps.onEvent('reopened'),
    onGone: (reason) => lower('provider', reason),
  });
  const watch = setInterval(() => {
    if (phase !== 'listens' || !answers.draft || Date.now() - heardAt < framesMs) return;
    // A page that slept connects again.
    tell({ type: 'lower', step: lowerStep, why: 'frames' });
    deps.onEvent({ lowered: 'frames' });
    end(closeCodes.restart);
  }, 1_000);
  const poll = setInterval(() => {
    if (phase !== 'thinks' && phase !== 'waits') void refresh();
  }, pollMs);

  function end(code: number): void {
    if (isOver) return;
    isOver = true;
    clearInterval(watch);
    clearInterval(poll);
    clearTimeout(waiting);
    answers.end();
    interview.recordListening(answers.takeListenedMs());
    deps.close(code);
  }

  function lower(why: LowerStepReason, reason?: ConnectionLostReason): void {
    if (isOver) return;
    deps.onEvent(reason === undefined ? { lowered: why } : { lowered: why, reason });
    tell({ type: 'lower', step: lowerStep, why });
    end(closeCodes.done);
  }

  /**
   * Runs work on the attempt, and ends the conversation if its link does not work any more or the platform is away. If the
   * attempt has changed meanwhile, follows it, or calls `onRefused`.
   */
  async function attend<Result>(
    work: () => Promise<Result>,
    onRefused: () => void = () => void refresh(true),
  ): Promise<Result | undefined> {
    const outcome = await interview.insist(work, () => isOver);
    if (isOver) return undefined;
    if (outcome.kind === 'done') return outcome.value;
    if (outcome.kind === 'revoked') end(closeCodes.revoked);
    else if (outcome.kind === 'away') lower('platform');
    else onRefused();
    return undefined;
  }

  const show = (state: LiveState): void => tell({ type: 'state', state });

  /** Reads the attempt again, and follows what has changed. Also says an open turn that was said already, with `isNew`. */
  async function refresh(isNew = false): Promise<void> {
    const seen = phase;
    const read = await interview.read();
    if (isOver || phase !== seen) return;
    if (read.kind === 'revoked') return end(closeCodes.revoked);
    if (read.kind !== 'done') return isNew ? refreshSoon(1_000) : undefined;
    const isSame = read.value.state === 'running' && read.value.turn?.turn_id === turn?.turn_id;
    if (isNew || !isSame) present(read.value);
  }

  function refreshSoon(ms: number, seen = phase): void {
    clearTimeout(waiting);
    waiting = setTimeout(() => void (phase === seen && refresh(true)), ms);
  }

  function present(attempt: Attempt): void {
    tell({ type: 'turn', attempt });
    turn = attempt.turn;
    if (attempt.state !== 'running') {
      settle();
      end(closeCodes.done);
    } else if (turn) say(turn);
    else {
      phase = 'waits';
      refreshSoon(attempt.waiting_ms ?? 1_000);
    }
  }

  function say({ turn_id, text, has_speech }: Turn): void {
    phase = 'speaks';
    hasSaid = true;
    kept = [];
    answers.close();
    tell({ type: 'say', turn_id, text, has_speech });
    show('speaks');
  }

  /** The answer before the turn that is being said can no longer be taken back. */
  function settle(): void {
    if (previous) tell({ type: 'complete', turn_id: previous.turnId });
    previous = undefined;
  }

  /** Gives the turn to the candidate. `isWhole` is false if this process may have missed the beginning of the answer. */
  function open(asked: Turn, heard: { isWhole: boolean; hasSpoken: boolean }): void {
    settle();
    const { mode } = asked.answer;
    // The reply to a visitor's last question takes no further one.
    if (mode === 'none') return interview.isVisit ? end(closeCodes.done) : void answerWith(asked.turn_id);
    phase = 'listens';
    show('listens');
    // The page records an introduction and offers to skip it, as it does without a live conversation.
    if ((mode !== 'voice' && mode !== 'video') || asked.kind === 'introduction') return;
    answers.open(asked.turn_id, heard);
    heardAt = Date.now();
  }

  /** Goes on after a turn that has no answer. */
  async function answerWith(turnId: string): Promise<void> {
    phase = 'thinks';
    const next = await attend(async () => interview.decide(await interview.skip(turnId)));
    if (next) present(next);
  }

  /** The turn is over: stores the answer, waits for the decision and says the next turn. */
  async function finish(why: 'answered' | 'silent', isFinal: boolean): Promise<void> {
    const given = answers.draft;
    if (phase !== 'listens' || !given) return;
    phase = 'thinks';
    show('thinks');
    const beganAt = performance.now();
    const durationMs = answers.tookMs();
    await answers.finish(wordsMs);
    interview.recordListening(answers.takeListenedMs());
    if (isOver) return;
    const draft = answers.words();
    const recordingId = answers.recordingOf(given.turnId);
    const isHeard = why === 'answered' && given.isWhole && given.isSettled() && draft !== '';
    if (interview.isVisit && !isHeard)
      return isFinal || why === 'answered' ? listenAgain(given) : lower('silence');
    if (!interview.isVisit && !(isHeard && recordingId !== null)) return askForRecording(given);
    const hm = setTimeout(() => tell({ type: 'hm' }), Math.max(0, hmMs - (performance.now() - beganAt)));
    const next = await attend(
      async () => {
        const stored = await interview.answer(given.turnId, { recordingId, draft, durationMs });
        tell({ type: 'answered', turn_id: given.turnId });
        return interview.decide(stored);
      },
      () => (interview.isVisit ? void refresh(true) : askForRecording(given)),
    );
    clearTimeout(hm);
    if (!next) return;
    previous = given;
    if (answers.isSpeaking() && !isFinal && next.turn) return withdraw(given, []);
    deps.onEvent({ replyMs: performance.now() - beganAt });
    present(next);
  }

  /** Not all of a visitor's question was understood, and nothing has recorded it, so the visitor asks again. */
  function listenAgain({ turnId }: HeardAnswer): void {
    tell({ type: 'caption', turn_id: turnId, text: '' });
    if (turn) open(turn, { isWhole: true, hasSpoken: false });
  }

  /** The page sends the answer as it does without a live conversation, and then lets the server know. */
  function askForRecording({ turnId }: HeardAnswer): void {
    phase = 'sends';
    answers.close();
    tell({ type: 'send_recording', turn_id: turnId });
  }

  /**
   * The candidate goes on talking: opens the answered turn again, and hears what was said meanwhile. If it is too late for
   * that, says the next turn.
   */
  async function withdraw(given: HeardAnswer, said: Buffer[]): Promise<void> {
    phase = 'thinks';
    answers.resume(given);
    for (const sound of said) answers.append(sound);
    const withdrawn = await attend(() => interview.withdraw(given.turnId));
    if (!withdrawn) return;
    if (!withdrawn.isWithdrawn) return present(withdrawn.attempt);
    deps.onEvent('withdrawn');
    previous = undefined;
    turn = withdrawn.attempt.turn;
    phase = 'listens';
    tell({ type: 'withdrawn', turn_id: given.turnId });
    tell({ type: 'turn', attempt: withdrawn.attempt });
    show('listens');
  }

  /** The candidate talks over a turn. What was said since then belongs to the answer. */
  function interrupt(asked: Turn, heardMs: number): void {
    const said = kept;
    if (previous && heardMs < withdrawableMs) return void withdraw(previous, said);
    open(asked, { isWhole: true, hasSpoken: false });
    for (const sound of said) answers.append(sound);
  }

  return {
    /** Begins after the page's first message. */
    async begin(hello: Extract<PageMessage, { type: 'hello' }>): Promise<void> {
      const { turn_id, is_heard, has_spoken = false } = hello;
      tell({ type: 'ready' });
      const attempt = await attend(() => interview.mustRead());
      if (!attempt) return;
      if (turn_id !== null && turn_id !== attempt.turn?.turn_id) tell({ type: 'complete', turn_id });
      if (!is_heard || !attempt.turn || turn_id !== attempt.turn.turn_id) return present(attempt);
      turn = attempt.turn;
      tell({ type: 'turn', attempt });
      open(attempt.turn, { isWhole: false, hasSpoken: has_spoken });
    },

    hear(sound: Buffer): void {
      heardAt = Date.now();
      if (phase === 'speaks') {
        if (kept.push(sound) > keptFrames) kept.shift();
        return;
      }
      if (phase === 'listens' || phase === 'thinks') answers.append(sound);
      if (phase !== 'listens' || !answers.draft) return;
      const seconds = interview.isVisit ? maxQuestionSeconds : turn?.answer.max_seconds;
      const maxMs = seconds ? seconds * 1_000 : null;
      const why = answers.whyOver(maxMs);
      if (why) void finish(why, maxMs !== null && answers.tookMs() >= maxMs);
    },

    receive(message: Exclude<PageMessage, { type: 'hello' }>): void {
      const isSaid = 'turn_id' in message && phase === 'speaks' && message.turn_id === turn?.turn_id;
      switch (message.type) {
        case 'played':
          if (!isSaid || !turn) return;
          if (message.is_end) open(turn, { isWhole: !message.has_spoken, hasSpoken: !!message.has_spoken });
          else if (message.ms >= withdrawableMs) settle();
          return;
        case 'barge':
          if (isSaid && turn) interrupt(turn, message.heard_ms);
          return;
        case 'answering':
          return answers.record(message.turn_id, message.recording_id);
        case 'done':
          if (answers.draft?.turnId === message.turn_id)
            void finish(answers.hasSpoken() ? 'answered' : 'silent', true);
          return;
        case 'moment':
          return answers.wait();
        case 'refresh':
          // Of an answer that could not be sent, there is no recording any more: the turn is said again. An earlier connection
          // may have asked for that recording.
          return void refresh(phase === 'sends' || (phase === 'listens' && !hasSaid));
        default:
          return end(closeCodes.done);
      }
    },

    end,
  };
}
