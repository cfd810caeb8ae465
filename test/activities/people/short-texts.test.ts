import shortTexts from '../../../activities/platform/mails/short-texts.json';
import { testShortTexts } from '../../harness/short-text-table';

describe('the short texts of mails', () => {
  testShortTexts(shortTexts);
});
