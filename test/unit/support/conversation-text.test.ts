import { conversationText } from '../../../activities/support/conversation-text';
import type { IssueToSend } from '../../../db/support/technical-issues';

const issue: Omit<IssueToSend, 'description'> = {
  id: 'i',
  status: 'queued',
  reference: null,
  attempts: 0,
  merchant_id: 'm',
  merchant_name: 'Acme',
  reporter_name: 'Ann',
  reporter_email: 'ann@example.com',
  interview_id: null,
  interview_name: null,
  position_id: null,
  position_name: null,
  result_id: null,
  result_name: null,
};

describe('the subject of a conversation', () => {
  it.each([
    ['one line of prose that is short', 'one line of prose that is short'],
    ['  first\tline \r\n second line', 'first line'],
    ['????\n\nIt is broken', 'Technical issue at Acme'],
    [`${'word '.repeat(30)}end`, `${'word '.repeat(19)}word…`],
    ['x'.repeat(300), `${'x'.repeat(99)}…`],
    ['🙂'.repeat(60) + 'a'.repeat(60), `${'🙂'.repeat(60)}${'a'.repeat(39)}…`],
  ])('shortens the description %j to %j', (description, subject) => {
    expect(conversationText({ ...issue, description }).subject).toBe(subject);
  });
});
