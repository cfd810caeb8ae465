/**
 * A candidate of the interview `key`: the number of the candidate (`index`), what became of the candidate (`fate`),
 * and when the candidate took the interview, in milliseconds since 1970 (`takenAt`).
 */
export type TakenInterview = {
  key: string;
  index: number;
  fate: 'decided' | 'undecided' | 'collected' | 'failed' | 'started';
  takenAt: number;
};
