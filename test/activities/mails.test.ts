import { candidateInvitation } from '../../activities/mails/candidate-invitation';
import { coachingInvitation } from '../../activities/mails/coaching-invitation';
import type { CandidateMailData } from '../../activities/mails/compose';
import { finalReminder } from '../../activities/mails/final-reminder';
import { reminder } from '../../activities/mails/reminder';
import { teamInvitation } from '../../activities/mails/team-invitation';
import { languageCodes } from '../../api/contracts/vocabulary';

const link = 'https://portal.example/interview/take/1/?interview_token=a.b.c&view_hm=true';
const data = (more: Partial<CandidateMailData> = {}): CandidateMailData => ({
  language: 'en',
  merchant_name: 'Northwind Talent',
  recipient_name: 'Ann Lee',
  link,
  message_from_recruiter: 'Dear Ann,\nwe liked your work.\n\nSee you!',
  interview_name: 'Backend engineer',
  available_till: new Date('2026-12-31T23:59:59.999Z'),
  recruiter_name: 'Marco Rinaldi',
  ...more,
});
const mails = { candidateInvitation, reminder, finalReminder, teamInvitation, coachingInvitation };
const kinds = Object.entries(mails);
const visible = (markup: string) =>
  markup
    .replace(/<style>.*?<\/style>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

describe.each(kinds)('%s', (_name, write) => {
  it.each(languageCodes)('%s: says everything, in both bodies', (language) => {
    const { subject, html, text } = write(data({ language }));
    for (const part of [subject, html, text]) {
      expect(part).not.toMatch(/\{(merchant|interview|name|date)\}/);
      expect(part).toContain('Northwind Talent');
    }
    expect(subject).not.toMatch(/[\r\n]/);
    expect(html).toContain(`lang="${language === 'br' ? 'pt-BR' : language}"`);
    expect(html).toContain(`dir="${language === 'ar' ? 'rtl' : 'ltr'}"`);
    expect(visible(html)).toContain('Ann Lee');
    expect(text).toContain('Ann Lee');
  });

  it('has the link once to click and once on a line of its own', () => {
    const { html, text } = write(data());
    const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&#38;', '&'));
    expect(hrefs).toEqual([link]);
    expect(text.split('\n').filter((line) => line === link)).toHaveLength(1);
    // Nothing of it is loaded from anywhere.
    expect(html).not.toMatch(/<(img|script|iframe|link)\b|url\(/i);
  });

  it("keeps the message's paragraphs and lines, as a quotation", () => {
    const { html, text } = write(data());
    expect(text).toContain('> Dear Ann,\n> we liked your work.\n>\n> See you!');
    expect(visible(html)).toMatch(/Dear Ann,\s+we liked your work\.\s+See you!/);
    const without = write(data({ message_from_recruiter: null }));
    expect(without.text).not.toContain('>');
  });

  it('escapes whatever people wrote', () => {
    const evil = `<script>alert("1")</script>&'x'`;
    const { html } = write(
      data({ merchant_name: evil, recipient_name: evil, interview_name: evil, message_from_recruiter: evil }),
    );
    expect(html).not.toContain('<script');
    expect(visible(html)).toContain(evil);
    expect(html).not.toContain(`"1"`);
  });

  it('starts no header: the subject is one line of at most 200 characters', () => {
    const long = `A\r\nBcc: everybody@example.com\u2028${'x'.repeat(300)}`;
    for (const language of languageCodes) {
      const { subject } = write(data({ language, merchant_name: long, interview_name: long }));
      expect(subject).not.toMatch(/\p{Cc}|\u2028/u);
      expect(subject.length).toBeLessThanOrEqual(200);
    }
  });

  it('greets who has no name', () => {
    const { text } = write(data({ recipient_name: null }));
    expect(text).toContain('Hello,');
    expect(text).not.toContain('null');
  });
});

describe('mails to candidates', () => {
  it('name the interview and its last day, which is the day in UTC', () => {
    const { subject, text, html } = candidateInvitation(data());
    expect(subject).toBe('Northwind Talent invites you to an interview: Backend engineer');
    expect(text).toContain('You can take it until December 31, 2026.');
    expect(visible(html)).toContain('Marco Rinaldi');
    expect(candidateInvitation(data({ available_till: null })).text).not.toContain('until');
  });

  it('tell the three apart', () => {
    const subjects = [candidateInvitation, reminder, finalReminder].map((write) => write(data()).subject);
    expect(new Set(subjects).size).toBe(3);
  });

  it('English helps with more than the others', () => {
    expect(candidateInvitation(data()).text).toContain('quiet place');
    expect(candidateInvitation(data({ language: 'de' })).text.length).toBeLessThan(
      candidateInvitation(data()).text.length,
    );
  });
});
