import {
  coachStatuses,
  completionReasons,
  stopReasons,
  processingStatuses,
  resultStatuses,
  riskSeverities,
  transcriptViews,
} from '../../db/results/vocabulary';
import { namedEnum } from '../platform/operation/named-enums';

export const resultStatus = namedEnum(
  'ResultStatus',
  resultStatuses,
  'Whether the candidate has submitted the result.',
  {
    draft: 'Not submitted: not begun, in progress, collected, or failed.',
    active: 'Submitted by the candidate.',
  },
);

export const coachStatus = namedEnum(
  'ResultInterviewStatus',
  coachStatuses,
  'The progress of the session of a result.',
  {
    started: 'The candidate is taking the interview.',
    completed: 'All answers are in.',
    'completed, stopped early':
      'The candidate ended early or ran out of time, with answers, or `early_stop` skipped the remaining questions.',
    failed: 'A technical error ended the session.',
    abandoned: 'The candidate left without answers.',
    'terminated, no speech detected': 'The session was ended because nothing was said.',
  },
);

export const completionReason = namedEnum(
  'CompletionReason',
  completionReasons,
  'Why an attempt has ended.',
  {
    all_questions_answered: 'All questions were answered.',
    time_over: 'The time was over.',
    stopped_early: 'The candidate, `early_stop` or a recruiter ended the attempt early.',
    no_speech: 'The answers had no words.',
    left: 'The candidate did nothing for an hour.',
    technical_error:
      'It could not go on for 30 minutes, or its answers were lost, because of the platform. The attempt costs nothing.',
  },
);

export const stopReason = namedEnum(
  'StopReason',
  stopReasons,
  'Why the remaining scored questions were skipped.',
  {
    enough: 'The answers were enough.',
    empty: 'The last three answers were empty.',
  },
);

export const processingStatus = namedEnum(
  'ProcessingStatus',
  processingStatuses,
  'The progress of the scoring. Null before it is queued.',
  {
    queued: 'It waits to be scored.',
    processing: 'It is being scored.',
    completed: 'It is scored.',
    failed: 'It could not be scored.',
  },
);

export const riskSeverity = namedEnum('RiskSeverity', riskSeverities, 'How serious a risk is.', {
  warning: 'To be looked at.',
  issue: 'A problem.',
});

export const transcriptView = namedEnum(
  'TranscriptView',
  transcriptViews,
  'How a part of the session was shown to the candidate.',
  {
    'with listening': 'A question with an answer.',
    'with listening conditional': 'A conditional question with an answer.',
    'with listening expert': 'A question on expert knowledge with an answer.',
    'without scoring': 'A question whose answer is not scored.',
    'candidate asking recruiter': 'The candidate asks, the AI answers.',
    'multiple choice': 'A choice between options.',
    welcome: 'The welcome.',
    'thank you': 'The thanks at the end.',
    'instructional video': 'The instructional video.',
  },
);

export const givenAnswerMode = namedEnum(
  'GivenAnswerMode',
  ['typed', 'audio', 'video', 'choice'],
  'How the candidate answered.',
  {
    typed: 'In writing.',
    audio: 'With a recording of the voice.',
    video: 'With a video.',
    choice: 'With an option of a multiple choice.',
  },
);
