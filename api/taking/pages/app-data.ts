import type { LanguageCode } from '../../../db/platform/vocabulary';
import { languageTexts } from '../../platform/text/language-texts';
import { toAttempt } from '../attempt-fields';
import type { Attempt } from '../attempt-fields';
import type { TakingText } from '../texts';
import type { CallHeader } from './place';
import type { Note, InterviewVisit } from './visit';

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
  language: LanguageCode;
  texts: Record<TakingText, string>;
  note: Note | null;
  canEdit: boolean;
  /** `video` if answers may be recorded as video, `audio` if only as sound, or null if all answers are typed. */
  recording: 'audio' | 'video' | null;
  /** True if the interview is interactive: questions are spoken, and answers are sent at once. */
  isSpoken: boolean;
  /** What is recorded of the session: `recording_full_session` of the interview. */
  sessionRecording: string | null;
};

/** Returns the data that the app needs for this visit. */
export function candidateAppData(visit: InterviewVisit, note?: Note): AppData {
  const { interview, attempt, language } = visit;
  return {
    callHeader: visit.callHeader,
    enrolmentId: visit.caller.enrolmentId,
    attempt: attempt && toAttempt(attempt),
    interviewName: interview.interview_name,
    address: visit.address(),
    answerAddress: visit.address('answer'),
    language,
    texts: languageTexts[language].candidate_pages,
    note: note ?? null,
    canEdit: interview.can_edit,
    recording: interview.recording ?? (interview.is_spoken ? 'audio' : null),
    isSpoken: interview.is_spoken,
    sessionRecording: interview.session_recording,
  };
}
