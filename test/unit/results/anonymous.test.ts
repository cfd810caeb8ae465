import { anonymize } from '../../../activities/results/anonymous';
import { readPdf } from '../../harness/platform/read-pdf';
import { compileResult, printed, resultToPrint, session, turn } from './result-pdf.fixture';

const candidate = {
  name: 'José Will Lind',
  email: 'ann@example.com',
  phone: '+31 20 123 45 67',
  external_id: 'HR-2041',
};
const answerOf = (answer: string, more = {}) =>
  anonymize(
    resultToPrint({ candidate: { ...candidate, ...more }, transcript: [turn({ answer })] }),
    'Candidate',
  ).transcript[0]?.answer;

describe('an anonymous result', () => {
  it.each([
    [
      'names, also without accents',
      'I am Jose. José’s team, LIND!',
      'I am Candidate. Candidate’s team, Candidate!',
    ],
    ['a name that is also a word', 'Will said he will, Willing', 'Candidate said he will, Willing'],
    [
      'the whole name in any form',
      'github.com/jose-will-lind or josé will lind',
      'github.com/Candidate or Candidate',
    ],
    ['email addresses', 'Write to ann@example.com or a.l@b.org.', 'Write to Candidate or Candidate'],
    ['the phone number', 'Call +31 (20) 1234567, 12 times', 'Call Candidate, 12 times'],
    ['the reference', 'My number is HR-2041, not HR-20412', 'My number is Candidate, not HR-20412'],
  ])('does not show %s', (_, said, shown) => {
    expect(answerOf(said)).toBe(shown);
  });

  it.each([
    ['田中花子', '田中と申します。花子です。', 'Candidateと申します。Candidateです。'],
    ['أحمد الشمري', 'أنا أحمد الشمري', 'أنا Candidate'],
    ['A (b] \\d+ $& .*', 'A (b] \\d+ and anything', 'Candidate+ and anything'],
    [null, 'Nothing to hide', 'Nothing to hide'],
  ])('does not show the name %s', (name, said, shown) => {
    expect(answerOf(said, { name })).toBe(shown);
  });

  it('keeps scores, decisions and evidence, but no trace of the candidate in the file', () => {
    const answer = 'I am Ann Lind. We compared the traces of both releases with Lind tools.';
    const quote = 'compared the traces of both releases with Lind tools';
    const met = {
      bracket: 'strong',
      text: 'Ann compares',
      met: 'yes',
      quote,
      start: 18,
      end: 18 + quote.length,
    };
    const document = printed(
      {
        transcript: [
          turn({
            answer,
            question_asked: 'Hello Ann?',
            recording_local_path: session,
            answer_assessment_raw_data: { criteria: [met] },
          }),
        ],
        ai_analysis_recruiter: 'Ann Lind compared.',
        recruiter_risks: [{ key: 'own', note: 'Lind was late.' }],
        user_feedback_recruiter: 'Call Ann: +3120123',
        decisions: [
          {
            question_id: null,
            by: 'Eva Roe',
            at: '2026-11-24T12:00:00Z',
            score_ai: 8,
            reason: 'Ann called.',
          },
        ],
      },
      { anonymous: true },
    );
    expect(document).toMatchObject({
      title: 'Interview report: Candidate 187618a1',
      score: { value: '7.4' },
    });
    const json = JSON.stringify(document);
    for (const trace of ['Ann', 'Lind', 'example.com', '123', 'C-1', 'console'])
      expect(json).not.toContain(trace);
    const marked = document.sections.flatMap((each) =>
      each.kind === 'questions' ? each.questions.flatMap((one) => one.answer?.segments ?? []) : [],
    );
    expect(marked.find(({ bracket }) => bracket === 'strong')?.text).toBe(
      'compared the traces of both releases with Candidate tools',
    );
    const { pdf } = compileResult(document);
    expect(readPdf(pdf).join(' ')).toContain('Candidate 187618a1');
    expect(readPdf(pdf).join(' ') + pdf.toString('latin1')).not.toMatch(/Ann|Lind|ann@/);
  });
});
