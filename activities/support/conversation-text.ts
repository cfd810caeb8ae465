import { oneLine } from '../../api/platform/text/one-line';
import type { IssueToSend } from '../../db/support/technical-issues';

const maxSubjectCharacters = 100;

/** The text that support reads: the description, then a line for each person and object that the issue is about. */
export function conversationText(issue: IssueToSend): { subject: string; body: string } {
  const about = [
    ['Company', named(issue.merchant_name, issue.merchant_id)],
    ['Reported by', named(issue.reporter_name, issue.reporter_email)],
    ['Interview', issue.interview_id && named(issue.interview_name, issue.interview_id)],
    ['Position', issue.position_id && named(issue.position_name, issue.position_id)],
    ['Result', issue.result_id && named(issue.result_name, issue.result_id)],
    ['Technical issue', issue.id],
  ].flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []));
  return { subject: subjectOf(issue), body: `${issue.description}\n\n---\n${about.join('\n')}` };
}

const named = (name: string | null, id: string): string => (name ? `${oneLine(name)} (${id})` : id);

/**
 * Returns the subject: the first line of the description, shortened between words if it is too long. If that line has
 * no letter or digit, the subject names the merchant.
 */
function subjectOf({ description, merchant_name }: IssueToSend): string {
  const line = oneLine(description.split(/[\r\n]/, 1)[0] ?? '');
  if (!/[\p{L}\p{N}]/u.test(line)) return cut(`Technical issue at ${oneLine(merchant_name)}`);
  return cut(line);
}

function cut(line: string): string {
  const characters = Array.from(line);
  if (characters.length <= maxSubjectCharacters) return line;
  const atWord = Array.from(
    characters
      .slice(0, maxSubjectCharacters)
      .join('')
      .replace(/\s+\S*$/u, ''),
  );
  const isShort = atWord.length < maxSubjectCharacters / 2 || atWord.length === maxSubjectCharacters;
  return `${(isShort ? characters.slice(0, maxSubjectCharacters - 1) : atWord).join('')}…`;
}
