import type { PortalOperation } from '../platform/operation/define-operation';
import { attemptBegin } from './operations/attempt-begin';
import { attemptFinish } from './operations/attempt-finish';
import { attemptGet } from './operations/attempt-get';
import { attemptSubmit } from './operations/attempt-submit';
import { liveToken } from './operations/live-token';
import { recordingComplete } from './operations/recording-complete';
import { recordingCreate } from './operations/recording-create';
import { recordingPart } from './operations/recording-part';
import { resumeAdd } from './operations/resume-add';
import { transcriptEdit } from './operations/transcript-edit';
import { turnAnswer } from './operations/turn-answer';
import { turnSpeech } from './operations/turn-speech';
import { turnVideo } from './operations/turn-video';

/** Every operation for candidates. The portal's router, its OpenAPI document and tests use this list. */
export const portalOperationList: readonly PortalOperation[] = [
  attemptBegin,
  resumeAdd,
  attemptGet,
  turnAnswer,
  turnSpeech,
  turnVideo,
  liveToken,
  recordingCreate,
  recordingPart,
  recordingComplete,
  transcriptEdit,
  attemptFinish,
  attemptSubmit,
];
