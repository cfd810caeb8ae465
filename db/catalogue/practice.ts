import type { Statement } from '../platform/statement';

/** What the page of a session shows about the learner's practice. */
export type Practice = {
  /**
   * `scoring` means that the next attempt has to wait until the last one is scored, for at most 15 minutes, and
   * `used_up` that the merchant has no coaching credits for it.
   */
  state: 'new' | 'running' | 'again' | 'scoring' | 'used_up';
  /** The number of submitted attempts. */
  finished: number;
  /** The score of the last scored attempt. Null if there is none or if the learner may not see it. */
  score: number | null;
  max_score: number;
};

type StartedPractice =
  | {
      outcome: 'open';
      enrolment_id: string;
      link_generation: number;
      interview_available_till: string | null;
    }
  | { outcome: 'closed' | 'over'; interview_available_till: string | null };

/**
 * Enrols the learner of this visit in a session, unless the learner is enrolled already. Returns no row if the
 * visitor is not a learner or the session is not in this portal's catalogue. `closed` means that the session is
 * archived or completed, and `over` that its `interview_available_till` has passed.
 */
export const startPractice = (interviewId: string): Statement<StartedPractice> => ({
  name: 'start_practice',
  text: `select outcome, enrolment_id, link_generation, interview_available_till from app.start_practice($1)`,
  values: [interviewId],
});
