import type { LanguageCode, TemplateType } from '../../../db/platform/vocabulary';
import { readScript } from '../../platform/site/assets';
import { toAttempt } from '../attempt-fields';
import type { Attempt } from '../attempt-fields';
import { takingTextTable } from '../texts';
import type { TakingText } from '../texts';
import type { CallHeader } from './entry-point';
import type { NoteKey, InterviewVisit } from './visit';

/** The script of the live conversation (api/taking/app/live), and the one that captures the microphone for it. */
export const conversationScript = readScript('conversation.js');
export const earScript = readScript('ear.js');

/** Draws the interviewer (api/taking/app/figure). The app loads it only where the picture is shown. */
export const figureScript = readScript('figure.js');

/** What the picture of the interviewer depends on. */
export type InterviewerData = {
  template: TemplateType;
  /** The address of `figureScript`. */
  script: string;
};

/** What the app needs for a live conversation, besides a token of `live-token`. */
export type LiveData = {
  /** The address of the live process. */
  url: string;
  /** The addresses of the script of the conversation, and of the one that captures the microphone. */
  script: string;
  ear: string;
};

/** What the app of a page (api/taking/app) gets from the server, as JSON in the page. */
export type AppData = {
  /**
   * A browser has one cookie for each interview. The app's calls send this header, which says whose cookie applies.
   */
  callHeader: CallHeader;
  /**
   * The enrolment for which the page was made. Calls fail if the browser has opened another candidate's link since.
   */
  enrolmentId: string;
  /** Null before an attempt begins. The app then offers a practice recording. */
  attempt: Attempt | null;
  interviewName: string;
  /** The address of the interview's main page. */
  address: string;
  /** The address to which the form of an answer is sent. The app submits this form when its page is out of date. */
  answerAddress: string;
  /** The address of the videos in which questions are spoken. */
  videoAddress: string;
  language: LanguageCode;
  texts: Record<TakingText, string>;
  note: NoteKey | null;
  canEdit: boolean;
  /** The devices that the interview needs: `video` is the camera and the microphone. Null if it needs none. */
  recording: 'audio' | 'video' | null;
  /** True if its answers have to be videos, so that typing is not offered at the check of the devices. */
  isVideoRequired: boolean;
  /** True if the interview is interactive: questions are spoken, and answers are sent at once. */
  isSpoken: boolean;
  /** The picture of the interviewer, or null if there is none. */
  interviewer: InterviewerData | null;
  /** Null if answers are only recorded and sent. */
  live: LiveData | null;
  /** What is recorded of the session: `recording_full_session` of the interview. Null if nothing is. */
  sessionRecording: string | null;
};

/** Returns the data that the app needs for this visit. */
export function candidateAppData(visit: InterviewVisit, note?: NoteKey): AppData {
  const { interview, attempt, language } = visit;
  const { recordings } = interview;
  return {
    callHeader: visit.callHeader,
    enrolmentId: visit.caller.enrolmentId,
    attempt: attempt && toAttempt(attempt),
    interviewName: interview.interview_name,
    address: visit.address(),
    answerAddress: visit.address('answer'),
    videoAddress: visit.address('video'),
    language,
    texts: takingTextTable(language, interview.is_practice),
    note: note ?? null,
    canEdit: interview.can_edit,
    recording: interview.recording,
    isVideoRequired: recordings.recording?.startsWith('video') === true && !recordings.may_type,
    isSpoken: interview.is_spoken,
    interviewer: interview.template_type && {
      template: interview.template_type,
      script: figureScript.place,
    },
    live: visit.live && { ...visit.live, script: conversationScript.place, ear: earScript.place },
    sessionRecording: interview.session_recording,
  };
}
