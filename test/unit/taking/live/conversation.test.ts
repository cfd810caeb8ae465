import type { ServerMessage } from '../../../../api/live/public';
import {
  advanceConversation,
  answerWayOf,
  firstConversation,
} from '../../../../api/taking/app/live/conversation';
import type { ConversationEvent } from '../../../../api/taking/app/live/conversation';

type Attempt = Extract<ServerMessage, { type: 'turn' }>['attempt'];

const turn = (turn_id: string, mode: 'none' | 'voice' | 'choice' = 'voice'): ConversationEvent => ({
  type: 'turn',
  attempt: {
    state: 'running',
    turn: { turn_id, kind: 'question', text: '', answer: { mode, may_type: true } },
  } as Attempt,
});
const say = (turn_id: string, has_speech = true): ConversationEvent => ({
  type: 'say',
  turn_id,
  text: '',
  has_speech,
});
const opened: ConversationEvent = { type: 'opened', sequence: 7 };
const ready: ConversationEvent = { type: 'ready' };
const audible: ConversationEvent = { type: 'audible' };
const ended = (isTalking = false): ConversationEvent => ({ type: 'ended', ms: 900, isTalking });
const interrupted = (ms: number): ConversationEvent => ({ type: 'interrupted', ms });
const created = (turnId: string): ConversationEvent => ({
  type: 'created',
  turnId,
  recordingId: `r${turnId}`,
});
const on = (type: 'answered' | 'complete' | 'withdrawn' | 'send_recording', turn_id: string) => ({
  type,
  turn_id,
});
const listens: ConversationEvent = { type: 'state', state: 'listens' };
const asked = [turn('1'), say('1'), audible, ended(), created('1')];
const answered = [...asked, on('answered', '1'), turn('2'), say('2'), audible];

/** Returns what the page does for `events` after `before`, in words, and how the conversation then stands. */
function play(before: ConversationEvent[], events: ConversationEvent[]) {
  let now = firstConversation(1, false);
  const inWords = (event: ConversationEvent): string[] => {
    const [next, ...effects] = advanceConversation(now, event);
    now = next;
    return effects.map((effect) => {
      if (effect.do === 'send') return Object.values(effect.message).join(' ');
      if (effect.do === 'record') return `record ${effect.turnId} ${effect.isBegun ? 'from before' : 'now'}`;
      return 'turnId' in effect ? `${effect.do} ${effect.turnId}` : effect.do;
    });
  };
  for (const event of [opened, ready, ...before]) inWords(event);
  return { done: events.flatMap(inWords), now };
}

describe('advanceConversation', () => {
  it.each<[string, ConversationEvent[], ConversationEvent[], string[], string]>([
    [
      'speaks a question, records its answer and names the recording',
      [turn('1')],
      asked.slice(1),
      [
        'hush',
        'speak 1',
        'played 1 0 false',
        'prepare 1',
        'played 1 900 true',
        'record 1 now',
        'answering 1 r1',
      ],
      'listens',
    ],
    [
      'plays the sound of listening while it thinks, and the next question ends it',
      [...asked, on('answered', '1')],
      [{ type: 'hm' }, turn('2'), say('2')],
      ['murmur', 'show', 'hush', 'speak 2'],
      'thinks',
    ],
    ['plays no sound of listening while somebody speaks', asked.slice(0, 3), [{ type: 'hm' }], [], 'speaks'],
    [
      'keeps the beginning of an answer that began over the end of the question',
      asked.slice(0, 3),
      [ended(true)],
      ['played 1 900 true', 'record 1 from before'],
      'listens',
    ],
    [
      'records an interruption from its beginning, and says what was heard',
      asked.slice(0, 3),
      [interrupted(640)],
      ['barge 1 640', 'record 1 from before'],
      'listens',
    ],
    [
      'goes on after words without an answer, and does not record',
      [turn('1', 'none'), say('1')],
      [audible, ended()],
      ['played 1 0 false', 'played 1 900 true'],
      'thinks',
    ],
    [
      'says that the answer had begun before its question is said again',
      [...asked, { type: 'spoke' }],
      [{ type: 'lost' }, say('1'), audible, ended()],
      ['hush', 'speak 1', 'played 1 0 false', 'played 1 900 true true'],
      'listens',
    ],
    ['leaves a choice to the page', [turn('1', 'choice')], [say('1', false)], ['hush'], 'idle'],
    [
      'gives the turn to the candidate at once without speech',
      [turn('1')],
      [say('1', false)],
      ['hush', 'played 1 0 true', 'record 1 now'],
      'listens',
    ],
    [
      'completes an answer when it is final, while the next question is said',
      answered,
      [on('complete', '1'), ended()],
      ['complete 1', 'played 2 900 true', 'record 2 now'],
      'listens',
    ],
    [
      'waits for the server to say whose the first words over a question are, and goes on with the answer',
      answered,
      [interrupted(300), on('withdrawn', '1'), turn('1'), listens],
      ['barge 2 300', 'hush', 'show'],
      'listens',
    ],
    [
      'records them as the answer of the question if they are not withdrawn',
      answered,
      [interrupted(990), on('complete', '1'), listens],
      ['barge 2 990', 'complete 1', 'record 2 from before'],
      'listens',
    ],
    [
      'sends the recording itself if the server has not heard all of the answer',
      asked,
      [on('send_recording', '1')],
      ['answer 1'],
      'thinks',
    ],
    [
      'says again that an answer is over whose process was lost before it was stored',
      [...asked, { type: 'spoke' }, { type: 'state', state: 'thinks' }],
      [{ type: 'lost' }, opened, ready, turn('1'), listens],
      ['hello 1 1 true true 7', 'answering 1 r1', 'show', 'done 1'],
      'thinks',
    ],
    [
      'does not record anew when the connection is lost while it sends',
      [...asked, on('send_recording', '1')],
      [
        { type: 'lost' },
        opened,
        ready,
        turn('1'),
        listens,
        { type: 'sent' },
        turn('2'),
        say('2'),
        audible,
        ended(),
      ],
      [
        'hello 1 1 true false 7',
        'show',
        'refresh',
        'show',
        'hush',
        'speak 2',
        'played 2 0 false',
        'prepare 2',
        'played 2 900 true',
        'record 2 now',
      ],
      'listens',
    ],
    [
      'goes on recording over a lost connection, and names turn and recording again',
      asked,
      [{ type: 'lost' }, opened, ready, turn('1'), listens],
      ['hello 1 1 true false 7', 'answering 1 r1', 'show'],
      'listens',
    ],
    [
      'ends the recordings of stored answers when the connection is lost',
      answered,
      [{ type: 'lost' }],
      ['complete 1'],
      'speaks',
    ],
    [
      'ends a recording whose answer was stored while the connection was away',
      asked,
      [{ type: 'lost' }, opened, ready, turn('2'), say('2')],
      ['hello 1 1 true false 7', 'answering 1 r1', 'show', 'hush', 'complete 1', 'speak 2'],
      'thinks',
    ],
    [
      'passes the buttons on while the candidate answers',
      asked,
      [
        { type: 'pressed', button: 'moment' },
        { type: 'pressed', button: 'done' },
      ],
      ['moment', 'done 1'],
      'listens',
    ],
    ['ignores the buttons while it speaks', answered, [{ type: 'pressed', button: 'done' }], [], 'speaks'],
    [
      'goes down the ladder',
      asked,
      [{ type: 'lower', step: 'record', why: 'provider' }],
      ['lower'],
      'listens',
    ],
  ])('%s', (_, before, events, expected, does) => {
    const { done, now } = play(before, events);
    expect(done).toEqual(expected);
    expect(now.does).toBe(does);
  });
});

it('remembers that something was said when the same question is asked again', () => {
  const { now } = play(asked, [{ type: 'spoke' }, say('1'), audible, ended()]);
  expect([now.hasSpoken, now.recording]).toEqual([true, { turnId: '1', id: 'r1' }]);
  expect(play(asked, [{ type: 'spoke' }, ...answered.slice(5), ended()]).now.hasSpoken).toBe(false);
});

describe('answerWayOf', () => {
  it.each<[string, string, boolean, boolean, string]>([
    ['question', 'voice', true, false, 'aloud'],
    ['question', 'video', true, false, 'aloud'],
    ['question', 'video', false, false, 'page'],
    ['question', 'video', false, true, 'aloud'],
    ['introduction', 'video', true, true, 'page'],
    ['question', 'choice', true, true, 'page'],
    ['welcome', 'none', true, true, 'none'],
    ['instructional_video', 'none', true, true, 'page'],
  ])('%s in the mode %s (may type: %s, camera: %s): %s', (kind, mode, may_type, hasPicture, expected) => {
    const text = kind === 'instructional_video' ? 'https://media.example.com/a.mp4' : 'Words';
    const asked = { kind, text, answer: { mode, may_type } } as Parameters<typeof answerWayOf>[0];
    expect(answerWayOf(asked, hasPicture)).toBe(expected);
  });
});
