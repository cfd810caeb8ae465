import type { MouthWeights } from './mouth-shapes';

/** What the interviewer does. */
export type InterviewerState = 'speaks' | 'listens' | 'thinks' | 'idle';

/** What a person does at one moment. Lengths and angles are 0 at rest. */
export type Pose = {
  mouth: MouthWeights;
  smile: number;
  /** 1 for open eyes, 0 for closed ones. */
  lids: number;
  gazeX: number;
  gazeY: number;
  /** How much each brow is raised, and how far the brows are drawn together. */
  browLeft: number;
  browRight: number;
  furrow: number;
  /** The head to the side, turned, and down. */
  tilt: number;
  yaw: number;
  pitch: number;
  breath: number;
};
