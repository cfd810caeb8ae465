import { z } from 'zod';
import {
  archiveStatuses,
  coachPlans,
  conversationSpeeds,
  creditTypes,
  environments,
  interviewKinds,
  interviewStatuses,
  interviewTypes,
  notificationChannels,
  recordings,
  resultViews,
  seniorityLevels,
  stages,
  templateTypes,
  videoIntroductions,
  visibilities,
} from '../../../db/platform/vocabulary';

/** Creates an enum that is a component of the published OpenAPI document. Its description explains each value. */
export const namedEnum = <const Values extends readonly string[]>(
  id: string,
  values: Values,
  description: string,
  meanings?: Record<Values[number], string>,
) =>
  z.enum(values).meta({
    id,
    description: meanings
      ? `${description}\n\n${values.map((value) => `- \`${value}\`: ${meanings[value as Values[number]]}`).join('\n')}`
      : description,
  });

export const environment = namedEnum(
  'Environment',
  environments,
  'The environment that a credential and its data belong to.',
  {
    production: 'Real candidates.',
    uat: 'Acceptance tests.',
    development: 'Integration work.',
    demo: 'Demonstrations.',
  },
);

export const interviewType = namedEnum('InterviewType', interviewTypes, 'The kind of session.', {
  coaching: 'Practice for a learner of the coaching portal.',
  interview: 'A job interview that is scored for a recruiter and announced by webhooks.',
  persona:
    'Practice for a learner with a person that the AI plays, such as a customer (`persona`). The learner is scored.',
  persona_interview:
    'A candidate talks to a person that the AI plays (`persona`). The candidate is scored for a recruiter.',
  public_avatar:
    'A visitor of `/talk/<slug>` asks, without a name, and an avatar answers from the description and the knowledge base, which become public by that. At most 20 questions a visit. Its own questions are not asked, and visits are not scored or announced.',
  assessment: 'A test of skills that is scored for a recruiter and announced by webhooks.',
});

export const archiveStatus = namedEnum(
  'ArchiveStatus',
  archiveStatuses,
  'Archived things serve what uses them already, and nothing new can use them.',
);
export const interviewStatus = namedEnum(
  'InterviewStatus',
  interviewStatuses,
  'The lifecycle status of an interview or position.',
  {
    draft: 'Being edited. Candidates can be registered, but only test links open.',
    active: 'Open to candidates.',
    archived: 'Closed to candidates; kept with its results.',
    deleted: 'Deleted for good: its id is no longer found. Its results stay readable.',
    preparing: 'Not open yet, like draft: for an interview that waits for something outside the platform.',
    completed: 'Closed to candidates because the hiring is done; kept with its results.',
  },
);

export const visibility = namedEnum(
  'Visibility',
  visibilities,
  'Who can find and take it. Lists have what is active: the catalogue the types coaching and persona, and the job pages of the portal positions and the types interview, assessment and persona_interview. A public_avatar is on no list. Links and embed keys open everything but a `sub_item` whatever the visibility is; a public_avatar has no links, and its key shows it only if it has a page. At a position, that of the position decides for all its steps.',
  {
    public:
      'Listed like `merchant_public`, and also in the list of all merchants: a job at `/jobs` of the platform, a session of a merchant with a portal at `/sessions`. The page of a public_avatar is open to everyone.',
    merchant_public:
      "Listed for all visitors of the merchant's portal. The page of a public_avatar is open to everyone.",
    merchant_invite:
      'Listed nowhere. Only people who were invited or registered can open and start it. A job and a public_avatar have no page.',
    merchant_unlisted:
      'Listed nowhere. Whoever has the address can open its page, and apply for a job. A `[session:…]` card shows a session.',
    sub_item:
      'Listed nowhere. Reached only through its position or, if it is of the type coaching or persona, through a `[session:…]` card on a page of the catalogue.',
  },
);

export const stage = namedEnum(
  'Stage',
  stages,
  'A stage of an application, in the order of the hiring process.',
);

export const templateType = namedEnum(
  'TemplateType',
  templateTypes,
  'How the interview is conducted. It decides the price in credits.',
  {
    offline_avatar_1: 'Questions as rendered avatar videos, first generation. Not usable for new interviews.',
    offline_avatar_2:
      'Questions as rendered avatar videos, second generation. Not usable for new interviews.',
    interactive_avatar_1: 'A live conversation with an avatar.',
    offline_avatar_3: 'Questions as rendered avatar videos, third generation.',
    interactive_voice: 'A live conversation by voice, without a picture.',
    interactive_avatar_2: 'A live conversation with an avatar, second generation.',
  },
);

export const recording = namedEnum(
  'Recording',
  recordings,
  'What is recorded and kept, as sound only or with the picture. A session has no first five answers: each value keeps all of it.',
  {
    audio_first_5_answers:
      'Sound of the first five answers to scored questions and their follow-ups. The others are as without a recording.',
    audio_all: 'Sound of all answers.',
    video_all: 'Picture and sound of all answers. Questions require a video.',
    video_first_5_answers:
      'Picture and sound of the first five answers to scored questions and their follow-ups, which require a video. The others are as without a recording.',
  },
);

export const creditType = namedEnum(
  'CreditType',
  creditTypes,
  'Recorded only: the level of the practice. It changes neither the price nor the credits that pay. Null for the types interview and assessment.',
);

export const resultView = namedEnum(
  'ResultView',
  resultViews,
  'What the candidate sees after the last answer. With every value but `none` the candidate reviews the answers and submits them.',
  {
    minimal: 'A confirmation, without a score.',
    advanced: 'The score, and feedback on each answer.',
    full: 'The score, feedback on each answer, the rubric and its evidence.',
    full_expand_scores: 'As full, with all scores expanded.',
    minimal_with_score: 'A confirmation with the score.',
    none: 'Nothing: the last answer submits the interview.',
  },
);

export const videoIntroduction = namedEnum(
  'VideoIntroduction',
  videoIntroductions,
  'Whether candidates introduce themselves in a video before the first question.',
  {
    hidden: 'There is no introduction video.',
    optional: 'Candidates may record one.',
    required:
      'Candidates must record one, unless `may_type` of `job-interview-set-time-factor` lets them type.',
  },
);

export const notificationChannel = namedEnum(
  'NotificationChannel',
  notificationChannels,
  'Which mails to candidates are accompanied by a message by SMS or WhatsApp.',
  {
    reminders: 'Both reminders.',
    last_reminder: 'The final reminder.',
    all: 'The invitation, all reminders, and the mails after an advance (next step) and after a reopened result.',
  },
);

export const coachPlan = namedEnum(
  'CoachPlan',
  coachPlans,
  'The stage of the coaching plan. Stages are shown in this order.',
  {
    demo: 'A first try.',
    screening: 'The screening call.',
    '2nd': 'The second interview.',
    '3rd': 'The third interview.',
    closing: 'The offer and its negotiation.',
    'job-specific': 'Practice for one kind of job.',
    other: 'Anything else.',
  },
);

export const conversationSpeed = namedEnum(
  'ConversationSpeed',
  conversationSpeeds,
  'How fast the interviewer speaks.',
);

export const interviewKind = namedEnum(
  'InterviewKind',
  interviewKinds,
  'What the generated questions are about: in an interview what is asked, in a role-play what the person brings up.',
  {
    'pre-screening': 'A first conversation: motivation, fitting experience and expectations.',
    'pre-screening-with-test-questions': 'A first conversation, of which at least half are test questions.',
    'second-interview': 'Decisions, mistakes and conflicts in real work, and a case of the job.',
    'remote-freelancer-verification':
      'Facts of the résumé that only who did the work knows, and how the person works.',
    'strength-based-interview': 'What comes easily and gives energy.',
    'potential-based-interview': 'Learning, handling what is new, and changing one’s mind.',
    'process-verification-from-knowledge-base':
      'The steps of the process in the knowledge base. Needs `knowledge_base_store_id`.',
  },
);

export const seniorityLevel = namedEnum(
  'SeniorityLevel',
  seniorityLevels,
  'The seniority that the job asks for.',
);
