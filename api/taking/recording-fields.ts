import { recordingTypes } from '../../db/taking/recordings';
import { namedEnum } from '../platform/operation/named-enums';

export const recordingKind = namedEnum('RecordingKind', ['session', 'introduction'], 'What is recorded, if it is not a turn.', {
  session: 'The whole session, if the interview records it.',
  introduction: 'The introduction video of the candidate.',
}); // prettier-ignore

export const recordingType = namedEnum(
  'RecordingType',
  recordingTypes,
  'What kind of file a recording is, without parameters such as `codecs`.',
);
