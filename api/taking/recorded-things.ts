import type { Recordings } from '../../db/catalogue/public';
import type { TakingText } from './texts';

/**
 * Returns the texts that say what these interviews record of an attempt and what they keep of it. They are what a candidate
 * consents to (docs/taking.md#recordings).
 */
export function recordedThings(interviews: readonly Recordings[]): TakingText[] {
  const hasResume = interviews.some(({ asks_resume: asks }) => asks);
  return [
    ...new Set([
      ...interviews.flatMap(thingsOf),
      'recorded_typed' as const,
      ...(hasResume ? (['recorded_resume'] as const) : []),
    ]),
  ];
}

/** Names what an interview records, for the form that consents to it. */
export const recordedThingsText = (recordings: Recordings): string => recordedThings([recordings]).join(' ');

function thingsOf({
  recording,
  recording_full_session: session,
  introduction,
  has_spoken,
}: Recordings): TakingText[] {
  return [
    ...(has_spoken ? answers[recording ?? 'none'] : []),
    ...(introduction === 'hidden' ? [] : (['recorded_introduction'] as const)),
    ...(session === null ? [] : [`recorded_${mediumOf(session)}_session` as const]),
  ];
}

const answers = {
  none: ['recorded_sound'],
  audio_first_5_answers: ['recorded_audio_first', 'recorded_rest'],
  audio_all: ['recorded_audio_all'],
  video_first_5_answers: ['recorded_video_first', 'recorded_rest'],
  video_all: ['recorded_video_all'],
} as const;

const mediumOf = (recording: string) => (recording.startsWith('video') ? 'video' : 'audio');

/** Returns whether an interview keeps any recording of an attempt. */
export const keepsRecordings = ({
  recording,
  recording_full_session: session,
  introduction,
  has_spoken,
}: Recordings) => (has_spoken && recording !== null) || session !== null || introduction !== 'hidden';
