import { forPractice, languageTexts } from '../../../api/platform/text/language-texts';
import type { LanguageTexts } from '../../../api/platform/text/language-texts';
import { oneLine } from '../../../api/platform/text/one-line';
import { textReader } from '../../../api/platform/text/text-reader';
import type { LanguageCode } from '../../../db/platform/vocabulary';
import { renderMail } from '../../platform/mails/layout';
import type { Mail, MailBrand } from '../../platform/mails/layout';

/** The data of every invitation mail. */
export type InvitationMailData = {
  language: LanguageCode;
  merchant_name: string;
  recipient_name: string | null;
  link: string;
  message_from_recruiter: string | null;
  brand?: MailBrand;
};
/** The data of a mail to a member of the team. */
export type TeamMailData = InvitationMailData & { console_url: string };
/** The data of a mail to a candidate. */
export type CandidateMailData = InvitationMailData & {
  interview_name: string;
  available_till: Date | null;
  recruiter_name: string | null;
  /** True for a session that a learner practices. */
  is_practice: boolean;
  /** How long the interview takes at most, in minutes. */
  minutes: number;
  /** The address of the merchant's privacy notice. */
  privacy_url: string;
};

type CandidateMailKind = 'candidate' | 'next_step' | 'retry' | 'reminder' | 'final' | 'submit';
type ComposedMail =
  | { kind: CandidateMailKind; data: CandidateMailData }
  | { kind: 'team'; data: TeamMailData }
  | { kind: 'coaching'; data: InvitationMailData };

/** The sentences about what to expect and what to do, in the order in which each kind of mail has them. */
const guidance: Record<ComposedMail['kind'], (keyof LanguageTexts['mails'] & `${string}_guide`)[]> = {
  candidate: ['candidate_guide', 'quiet_guide', 'browser_guide'],
  next_step: ['next_step_guide', 'quiet_guide', 'browser_guide'],
  retry: ['retry_guide', 'quiet_guide', 'browser_guide'],
  reminder: ['quiet_guide', 'browser_guide', 'done_guide'],
  final: ['quiet_guide', 'browser_guide', 'decline_guide'],
  submit: ['done_guide'],
  team: ['accept_guide'],
  coaching: ['accept_guide', 'coaching_guide'],
};

/**
 * Composes a mail of one kind. Line breaks are removed from names that people entered, and the recruiter's message is shown
 * as a quotation.
 */
export function composeMail(mail: ComposedMail): Mail {
  const { kind, data } = mail;
  const candidate = 'interview_name' in data ? data : null;
  const { mails } = languageTexts[data.language];
  const read = textReader(forPractice(mails, data.language, candidate?.is_practice === true), data.language);
  const merchant = data.merchant_name;
  const interview = candidate?.interview_name;
  const recipient = oneLine(data.recipient_name ?? '');
  // Nothing is left to take when the answers only wait to be submitted.
  const till = kind === 'submit' ? null : (candidate?.available_till ?? null);
  const signatures = [candidate?.recruiter_name ?? '', merchant].map(oneLine).filter((line) => line !== '');
  const paragraphs = splitParagraphs(data.message_from_recruiter ?? '');
  return renderMail({
    language: data.language,
    ...(data.brand ? { brand: data.brand } : {}),
    subject: read(`${kind}_subject`, shortenNames({ merchant, interview })),
    sender: oneLine(merchant),
    greeting: recipient === '' ? read('greeting_plain') : read('greeting', { name: recipient }),
    lead: read(`${kind}_lead`, { merchant, interview }),
    deadline: till && read('available_till', { date: till }),
    quote: paragraphs.length > 0 ? { label: read('message_label', { merchant }), paragraphs } : null,
    button: {
      label: read(candidate ? 'candidate_button' : 'accept_button'),
      link: data.link,
      note: read('link_note'),
    },
    guidance: guidance[kind]
      .map((key) => read(key, { duration: { value: candidate?.minutes ?? 0, unit: 'minute' } }))
      .join(' ')
      // Chinese and Japanese have no space after a full stop.
      .replaceAll('。 ', '。'),
    address:
      kind === 'team'
        ? { label: read('sign_in_note'), url: mail.data.console_url }
        : candidate && { label: read('privacy_note'), url: candidate.privacy_url },
    personalNote: read('personal_note'),
    closing: [read('closing'), ...signatures],
    footer: read('footer', { merchant }),
  });
}

/**
 * Shortens the names so that a subject has at most 200 characters in every language and its other words are never cut.
 */
function shortenNames({ merchant, interview }: { merchant: string; interview: string | undefined }) {
  return { merchant: shorten(merchant, 50), interview: interview && shorten(interview, 85) };
}

function shorten(name: string, maxLength: number): string {
  const line = oneLine(name);
  if (line.length <= maxLength) return line;
  // A character outside the basic plane is two UTF-16 code units. If the cut separates the two, the first unit is
  // dropped.
  return `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Splits a message into paragraphs at blank lines. Line breaks within a paragraph are kept. */
function splitParagraphs(message: string): string[][] {
  return message
    .replace(/\r\n|[\r\u0085\u2028\u2029]/g, '\n')
    .split(/\n\s*\n/)
    .map((paragraph) =>
      paragraph
        .split('\n')
        .map(oneLine)
        .filter((line) => line !== ''),
    )
    .filter((lines) => lines.length > 0);
}
