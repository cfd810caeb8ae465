import { oneLine } from '../../api/platform/text/one-line';
import type { IssueToSend } from '../../db/support/issue-reports';

const maxSubjectCharacters = 100;

/**
 * Returns the text that support reads: the description and, after the last rule, the people and objects that it is
 * about.
 */
export function supportTicket(report: IssueToSend): { subject: string; body: string } {
  const about = [
    ['Company', named(report.merchant_name, report.merchant_id)],
    ['Reported by', named(report.reporter_name, report.reporter_email)],
    ['Interview', report.interview_id && named(report.interview_name, report.interview_id)],
    ['Position', report.position_id && named(report.position_name, report.position_id)],
    ['Result', report.result_id && named(report.result_name, report.result_id)],
    ['Report', report.id],
  ].flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []));
  return { subject: subjectOf(report), body: `${report.description}\n\n---\n${about.join('\n')}` };
}

const named = (name: string | null, id: string): string => (name ? `${oneLine(name)} (${id})` : id);

/** Returns the first line, cut between words if it has several. */
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
