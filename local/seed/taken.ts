/**
 * The outcome of one candidate: number `index` of the interview with this key. `takenAt` is in milliseconds since 1970.
 */
export type Taken = {
  key: string;
  index: number;
  fate: 'decided' | 'undecided' | 'collected' | 'failed' | 'started';
  takenAt: number;
};
