import { composeMail } from '../../../activities/people/mails/compose';
import type { CandidateMailData, InvitationMailData } from '../../../activities/people/mails/compose';
import { brandColors } from '../../../api/platform/text/brand';
import { htmlLanguage } from '../../../api/platform/text/html';
import { languageTexts } from '../../../api/platform/text/language-texts';
import { writeDuration } from '../../../api/platform/text/text-reader';
import { languageCodes } from '../../../db/platform/vocabulary';

const link = 'https://portal.example.com/interview/take/1/?interview_token=a.b.c&view_hm=true';
const invitation: InvitationMailData = {
  language: 'en',
  merchant_name: 'Nordwind Inc.',
  recipient_name: 'Jana Nováková',
  link,
  message_from_recruiter: null,
};
const candidate: CandidateMailData = {
  ...invitation,
  interview_name: 'Shift lead',
  available_till: new Date('2026-12-18T23:59:59.999Z'),
  recruiter_name: 'Friederike Ölschläger',
  is_practice: false,
  minutes: 45,
  privacy_url: 'https://portal.example/interview/privacy/1/',
};
const candidateMail =
  (kind: 'candidate' | 'next_step' | 'retry' | 'reminder' | 'final' | 'submit') =>
  (data: CandidateMailData) =>
    composeMail({ kind, data });
const toCandidates = {
  candidateInvitation: candidateMail('candidate'),
  nextStepInvitation: candidateMail('next_step'),
  retryInvitation: candidateMail('retry'),
  reminder: candidateMail('reminder'),
  finalReminder: candidateMail('final'),
  submitReminder: candidateMail('submit'),
};
const { candidateInvitation, reminder, finalReminder, submitReminder } = toCandidates;
const console_url = 'https://platform.example.com/console';
const coachingInvitation = (data: InvitationMailData) => composeMail({ kind: 'coaching', data });
const toAccounts = {
  teamInvitation: (data: InvitationMailData) => composeMail({ kind: 'team', data: { ...data, console_url } }),
  coachingInvitation,
};
const renderAll = (change: Partial<CandidateMailData>) => {
  const {
    interview_name: _,
    available_till: __,
    recruiter_name: ___,
    is_practice: ______,
    privacy_url: ____,
    minutes: _____,
    ...account
  } = { ...candidate, ...change };
  return [
    ...Object.entries(toCandidates).map(([kind, render]) => ({
      kind,
      ...render({ ...candidate, ...change }),
    })),
    ...Object.entries(toAccounts).map(([kind, render]) => ({ kind, ...render(account) })),
  ];
};
const escapedLink = link.replaceAll('&', '&#38;');
/** Returns the visible words of the markup. */
const wordsOf = (markup: string) =>
  markup
    .replace(/<head>.*<\/head>|<div aria-hidden.*?<\/div>|<!--.*?-->/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/\s+/g, ' ');

describe.each(languageCodes)('the mails in %s', (language) => {
  const mails = renderAll({ language, message_from_recruiter: 'See you.' });

  it('are complete, in their language and direction, with the same words in HTML and plain text', () => {
    const { lang, dir } = htmlLanguage(language);
    expect(new Set(mails.map(({ subject }) => subject)).size).toBe(8);
    for (const { subject, html, text } of mails) {
      const words = wordsOf(html);
      expect(subject).toContain('Nordwind Inc.');
      expect(subject + words + text).not.toMatch(/\{|\}|\bundefined\b|\bnull\b|\.\./);
      expect(html).toContain(`<html lang="${lang}" dir="${dir}">`);
      expect(html).toMatch(new RegExp(`<div class="card" lang="${lang}" dir="${dir}"`));
      const blocks = text.split('\n').filter((line) => line !== '' && line !== '>' && line !== '--');
      for (const line of blocks) {
        const bare = line.replace(/^> /, '').replace(/:$/, '');
        expect(words).toContain(bare.replace(/\s+/g, ' '));
      }
    }
  });

  it('have one link, with its address on a line of its own', () => {
    for (const { html, text } of mails) {
      expect(html.match(/href="[^"]*"/g)).toEqual([`href="${escapedLink}"`]);
      expect(text.split('\n').filter((line) => line === link)).toHaveLength(1);
    }
  });

  it('have a subject of at most 200 characters that contains both names, however long they are', () => {
    const long = renderAll({
      language,
      merchant_name: 'M'.repeat(500),
      interview_name: `a${'🎻'.repeat(200)}`,
    });
    for (const { kind, subject } of long) {
      expect(subject.length).toBeLessThanOrEqual(200);
      expect(subject).toContain('MMM');
      expect(subject.isWellFormed()).toBe(true);
      expect(subject.includes('🎻')).toBe(kind in toCandidates);
    }
  });
});

describe('the invitation of a team member', () => {
  it('names the address of the console in HTML and plain text', () => {
    const { html, text } = toAccounts.teamInvitation(invitation);
    expect(text).toContain(`You will sign in here:\n${console_url}\n`);
    expect(wordsOf(html)).toContain(`You will sign in here: ${console_url}`);
    expect(coachingInvitation(invitation).text).not.toContain('sign in');
  });
});

describe('a mail', () => {
  it('has the accent color of the merchant, with text that can be read on it, and its logo', () => {
    const logo_url = 'https://portal.example.com/brand/1/logo/2.png';
    const { html } = candidateInvitation({ ...candidate, brand: { accent_color: '#ffe000', logo_url } });
    const { light, dark } = brandColors('#ffe000');
    expect(html).toContain(`bgcolor="${light.accent}"`);
    expect(html).toContain(`;color:${light.onAccent}"`);
    expect(html).toContain(`.button a { color: ${dark.onAccent} !important; }`);
    expect(html).toContain(`<img src="${logo_url}" alt=""`);
    expect(candidateInvitation(candidate).html).not.toContain('<img');
  });

  it('shows names and a message with markup as text', () => {
    const evil = `<script>"alert"('&')</script>`;
    const names = { merchant_name: evil, recipient_name: evil, interview_name: evil, recruiter_name: evil };
    for (const { html, text } of renderAll({
      ...names,
      message_from_recruiter: evil,
      link: `${link}"><b>`,
    })) {
      expect(html).not.toContain('<script');
      expect(html).not.toContain('<b>');
      expect(wordsOf(html)).toContain(evil);
      expect(text).toContain(evil);
    }
  });

  it('puts names with line breaks on one line of the subject and the text', () => {
    const forged = 'Acme\r\nBcc: all@example.com\n\u2028\u0085https://evil.example/';
    const names = {
      merchant_name: forged,
      recipient_name: forged,
      interview_name: forged,
      recruiter_name: forged,
    };
    for (const { subject, text } of renderAll(names)) {
      expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      expect(text).not.toMatch(/^(Bcc|https:\/\/evil)/m);
      expect(text).toContain('Acme Bcc: all@example.com https://evil.example/');
    }
  });

  it('shows a name that looks like a placeholder', () => {
    const mail = candidateInvitation({
      ...candidate,
      recipient_name: '{date}',
      merchant_name: '{interview}',
    });
    expect(mail.subject).toBe('{interview} invites you to an interview: Shift lead');
    expect(mail.text).toContain('Hello {date},');
  });

  it('quotes a message with its paragraphs and lines', () => {
    const mail = candidateInvitation({
      ...candidate,
      message_from_recruiter: '\n First.\r\n \r\nSecond:\n- one\n\n\nThird\u2028https://evil.example/\n',
    });
    const quoted = '> First.\n>\n> Second:\n> - one\n>\n> Third\n> https://evil.example/';
    expect(mail.text).toContain(`A message from Nordwind Inc.:\n${quoted}\n\nOpen the interview:`);
    const paragraphs = [
      ...(mail.html.match(/<blockquote.*<\/blockquote>/s)?.[0] ?? '').matchAll(/<p[^>]*>(.*?)<\/p>/gs),
    ];
    expect(paragraphs.map(([, content]) => content)).toEqual([
      'First.',
      'Second:<br />- one',
      'Third<br />https://evil.example/',
    ]);
  });

  it.each([null, '', ' \n\t\n '])('has no quotation when the message is %j', (message) => {
    for (const { html, text } of renderAll({ message_from_recruiter: message })) {
      expect(html).not.toContain('<blockquote');
      expect(text).not.toMatch(/A message|^>/m);
    }
  });

  it.each([null, ' \u202e '])('greets without a name when the name is %j', (name) => {
    for (const { text } of renderAll({ recipient_name: name })) expect(text).toMatch(/\n\nHello,\n\n/);
  });

  it('names the last day if there is one', () => {
    // The mail about answers that are not submitted names no day, because nothing is left to take.
    expect(submitReminder(candidate).text).not.toContain('until');
    for (const render of [candidateInvitation, reminder, finalReminder]) {
      expect(render(candidate).text).toContain('You can take it until December 18, 2026.');
      const open = render({ ...candidate, available_till: null });
      expect(open.text + open.html).not.toContain('until');
    }
  });

  it('is signed by the recruiter and the merchant, or by the merchant alone', () => {
    expect(candidateInvitation(candidate).text).toContain(
      '\n\nKind regards,\nFriederike Ölschläger\nNordwind Inc.\n\n',
    );
    const unsigned = candidateInvitation({ ...candidate, recruiter_name: null });
    expect(unsigned.text).toContain('\n\nKind regards,\nNordwind Inc.\n\n');
  });

  it.each(languageCodes)('invites learners to practice, and not to an interview: %s', (language) => {
    const [toInterview, toPractice] = [false, true].map((is_practice) =>
      candidateInvitation({ ...candidate, language, is_practice }).text.split('\n'),
    );
    const own = toPractice?.filter((line) => !toInterview?.includes(line)) ?? [];
    expect(own.join('\n')).toContain(candidate.interview_name);
    expect(own.join('\n')).toContain(languageTexts[language].practice.candidate_button);
  });

  it.each(languageCodes)('has guidance of its own for each kind, with the duration: %s', (language) => {
    const { mails } = languageTexts[language];
    const sentences = Object.entries(mails).flatMap(([key, text]) => (key.endsWith('_guide') ? [text] : []));
    const guidanceOf = ({ text }: { text: string }) =>
      sentences.flatMap((sentence, place) => {
        const parts = sentence.split('{duration}');
        return parts.every((part) => text.includes(part)) ? [place] : [];
      });
    const found = renderAll({ language }).map(guidanceOf);
    expect(new Set(found.map(String)).size).toBe(8);
    for (const render of [candidateInvitation, reminder, finalReminder])
      expect(render({ ...candidate, language, minutes: 90 }).text).toContain(
        writeDuration(90, 'minute', language),
      );
  });
});
