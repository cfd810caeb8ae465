/* Other domains may import only what this file exports. */
export { findInterviewName, listInterviewNames } from './interview-names';
export type { InterviewName } from './interview-names';
export { listPositionNames } from './position-names';
export type { PositionName } from './position-names';
export type { Persona } from './persona';
export type { Expectations } from './question-row';
export { insertModelCall } from './interview-building';
export type { ModelCall } from './interview-building';
export { openSigningKey } from './embed-keys';
