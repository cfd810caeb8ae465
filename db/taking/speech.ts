import { createHash } from 'node:crypto';
import { objectPath } from '../platform/object-path';
import type { Statement } from '../platform/statement';
import type { Environment, LanguageCode } from '../platform/vocabulary';

/* How the texts of an interview are spoken, and where the audio files are stored (docs/taking.md#speech). */

/** How fast a voice speaks at each `interview_conversation_speed`. */
export const voiceSpeeds = { slower: 0.85, normal: 1, faster: 1.15 } as const;

/** A text, and the settings on which its voice and speed depend. */
export type SpokenText = {
  text: string;
  template_type: string;
  conversation_speed: keyof typeof voiceSpeeds | null;
  language: LanguageCode;
};

/** The voice of each template that speaks. */
const voices: Readonly<Record<string, string>> = {
  interactive_avatar_1: 'nova',
  interactive_avatar_2: 'onyx',
  interactive_voice: 'alloy',
  offline_avatar_3: 'shimmer',
};

/**
 * Returns the voice and the speed of a text, or undefined if its template does not speak or there is nothing to say: the text is
 * empty, or the address of an instructional video.
 */
export function voiceAndSpeedOf({ text, template_type, conversation_speed }: SpokenText) {
  const voice = voices[template_type];
  if (voice === undefined || text.trim() === '' || /^https:\/\/\S+$/.test(text)) return undefined;
  return { voice, speed: voiceSpeeds[conversation_speed ?? 'normal'] };
}

/**
 * Returns the path of the audio file of a planned text, which all candidates share. The first of the hashed parts is
 * a version number for the rules of `voiceAndSpeedOf` and the marks in the file.
 */
export function sharedSpeechPath(spoken: SpokenText): string {
  const sound = voiceAndSpeedOf(spoken);
  const parts = ['2', sound?.voice, sound?.speed, spoken.language, spoken.text];
  return `speech/${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}.mp3`;
}

/** What the interviewer says while a decision takes long, in every language. */
const listeningText = { text: 'Mm-hm.', language: 'en' } as const;

/** Returns the path of the short sound of listening, which all interviews with this voice and speed share. */
export const listeningPath = (spoken: SpokenText): string =>
  sharedSpeechPath({ ...spoken, ...listeningText });

/** A turn, with the text, the voice and the speed in which it is spoken. */
type TurnToSpeak = SpokenText & {
  merchant_id: string;
  environment: Environment;
  interview_id: string;
  result_id: string;
  attempt: number;
  /** Null for a turn that was not asked yet. */
  turn_id: string | null;
  /** True if the text was written for this candidate. */
  is_personal: boolean;
};

/**
 * Returns the path of a turn's speech. The speech of a text that was written for one candidate belongs to the
 * attempt, and is deleted with the attempt.
 */
export const speechPathOf = (turn: TurnToSpeak): string =>
  turn.is_personal && turn.turn_id !== null
    ? objectPath({
        merchant_id: turn.merchant_id,
        environment: turn.environment,
        interview_result_id: turn.result_id,
        attempt: turn.attempt,
        name: `speech-${turn.turn_id}.mp3`,
      })
    : sharedSpeechPath(turn);

const turnColumns = `r.merchant_id, r.environment, r.interview_id, r.id as result_id, r.attempt, tt.type as template_type,
  i.interview_conversation_speed as conversation_speed`;

/**
 * Lists the turn `turnId`. If `turnId` is null, lists the open turn of the attempt and the next two turns of the
 * plan. Of a visit of a public avatar, only the turns of a visitor who talks are listed.
 */
export const listTurnsToSpeak = (
  resultId: string,
  attempt: number,
  turnId: string | null,
): Statement<TurnToSpeak> => ({
  name: 'list_turns_to_speak',
  isPlannedOnce: true,
  text: `
    select ${turnColumns}, spoken.*
    from interview_result o cross join lateral app.current_attempt(o) r
    join interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
    join interview_template tt on tt.id = i.interview_template_id
    cross join lateral (
      (select t.id as turn_id, coalesce(t.question_asked, '') as text, t.platform_language_code as language,
         t.kind = 'follow_up' or t.question_asked is distinct from s.text as is_personal
       from result_question t
       left join attempt_step s on s.merchant_id = t.merchant_id and s.result_id = t.result_id and s.attempt = t.attempt
         and s.place = t.place
       where t.merchant_id = r.merchant_id and t.result_id = r.id and t.attempt = r.attempt and t.kind is not null
         and (not r.is_visit or t.mode <> 'text')
         and (t.id = $3 or $3::uuid is null)
       order by t.step_order desc limit 1)
      union all
      (select null, s.text, s.platform_language_code, false from attempt_step s
       where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and $3::uuid is null
         and s.place > coalesce((
           select max(t.place) from result_question t
           where t.merchant_id = r.merchant_id and t.result_id = r.id and t.attempt = r.attempt
         ), 0)
       order by s.place limit 2)
    ) spoken
    where o.id = $1 and r.attempt = $2 and app.speaks(tt.type)`,
  values: [resultId, attempt, turnId],
});

/**
 * Finds the data for speaking a turn of the attempt to which the caller's link leads. Finds nothing for a turn of
 * another attempt.
 */
export const findTurnSpeech = (turnId: string): Statement<TurnToSpeak> => ({
  name: 'find_turn_speech',
  text: 'select * from app.find_turn_speech($1)',
  values: [turnId],
});

/** The texts of an interview that are spoken to its candidates. */
type InterviewToSpeak = {
  merchant_id: string;
  texts: (SpokenText & { interview_id: string })[];
};

/**
 * Finds the texts of the questions, in all wordings, and the sound of listening, of an active interview that has been built. Finds nothing if the interview's
 * template does not speak.
 */
export const findInterviewToSpeak = (interviewId: string): Statement<InterviewToSpeak> => ({
  name: 'find_interview_to_speak',
  text: `
    select i.merchant_id, coalesce((
      select jsonb_agg(jsonb_build_object('interview_id', i.id, 'text', said.text, 'template_type', t.type,
        'conversation_speed', i.interview_conversation_speed, 'language', said.language) order by said.place)
      from (
        select coalesce(wording, '') as text, q.platform_language_code as language, l.step_order as place
        from interview_question l join question q on q.merchant_id = l.merchant_id and q.id = l.question_id
        cross join unnest(q.question || case when not q.is_multiple_choice then q.question_alternatives end) wording
        where l.merchant_id = i.merchant_id and l.interview_id = i.id
        union all
        select i.persona ->> 'opening_line', i.platform_language_code, 0 where i.persona is not null
        union all
        select $2, $3, 1e6 where t.type like 'interactive%'
      ) said
    ), '[]') as texts
    from interview i join interview_template t on t.id = i.interview_template_id
    where i.id = $1 and i.status = 'active' and i.built_at is not null and app.speaks(t.type)`,
  values: [interviewId, listeningText.text, listeningText.language],
});
