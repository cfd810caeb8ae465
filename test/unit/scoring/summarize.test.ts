import { summarize } from '../../../activities/scoring/summarize';
import { scriptModel } from './script-model';

const limits = { timeoutMs: 1_000, signal: new AbortController().signal };
const answers = [
  { turn_id: 't1', question: 'Which project?', answer: 'I, Anna, led the billing project with 4 people.' },
  { turn_id: 't2', question: 'What went wrong?', answer: 'We tested far too late in spring.' },
];
const input = {
  type: 'interview',
  language: 'en' as const,
  answers,
  evidence: [
    {
      turn_id: 't1',
      bracket: 'strong' as const,
      text: 'Led a project',
      met: 'yes' as const,
      quote: 'I, Anna, led the billing project',
    },
    { turn_id: null, bracket: 'strong' as const, text: 'Names a goal', met: 'no' as const, quote: null },
  ],
  names: ['Anna'],
  previous_steps: ['Name the goal first', 'Say what you tested'],
};
const claim = (answer: number, quote: string, text = 'Led a project.') => ({ text, answer, quote });
const written = (more: object = {}) => ({
  strengths: [claim(1, 'led the billing project')],
  concerns: [claim(2, 'tested far too late', 'Tests came late.')],
  candidate_analysis: 'You told how you led the project.',
  recruiter_analysis: 'Leading 4 people was shown.',
  key_statement: { answer: 1, quote: 'led the billing project with 4 people' },
  ...more,
});
const run = (reply: object, more: object = {}) =>
  summarize(scriptModel(reply).model, { ...input, ...more }, limits);

describe('summarize', () => {
  it('returns claims with the passages that prove them', async () => {
    const summary = await run(written());
    expect(summary).toMatchObject({
      strengths: [
        { text: 'Led a project.', quote: 'led the billing project', turn_id: 't1', start: 9, end: 32 },
      ],
      concerns: [{ text: 'Tests came late.', quote: 'tested far too late', turn_id: 't2' }],
      key_statement: { quote: 'led the billing project with 4 people', turn_id: 't1' },
      takeaways: null,
      candidate_analysis: 'You told how you led the project.',
      recruiter_analysis: 'Leading 4 people was shown.',
      dropped: 0,
      model: 'scripted-1',
      prompt_version: 'result-summary/2',
      refused: null,
    });
  });

  it('shows the model verified evidence only, without names', async () => {
    const { model, tasks } = scriptModel(written());
    await summarize(model, input, limits);
    const message = tasks()[0];
    expect(message).toContain('I, Candidate, led the billing project');
    expect(message).not.toMatch(/Anna|too late|Which project/);
  });

  it.each([
    ['an invented quote', [claim(1, 'led the whole company')]],
    ['a quote of another answer', [claim(2, 'led the billing project')]],
    ['a quote of the question', [claim(1, 'Which project was it')]],
    ['an answer that does not exist', [claim(7, 'led the billing project')]],
    ['numbers nobody said', [claim(1, 'led the billing project', 'A clear 9 of 10.')]],
    ['numbers nobody said, in words', [claim(1, 'led the billing project', 'Saved forty percent.')]],
    ['no text', [claim(1, 'led the billing project', ' ')]],
  ])('drops a claim with %s', async (_name, strengths) => {
    expect(await run(written({ strengths }))).toMatchObject({ strengths: [], dropped: 1 });
  });

  it('keeps at most four claims', async () => {
    const strengths = Array.from({ length: 9 }, () => claim(1, 'led the billing project'));
    expect((await run(written({ strengths }))).strengths).toHaveLength(4);
  });

  it('drops analyses with numbers nobody said, and an unproven key statement', async () => {
    const summary = await run(
      written({
        recruiter_analysis: 'I would give 95 %.',
        key_statement: { answer: 1, quote: 'I am the best' },
      }),
    );
    expect(summary).toMatchObject({ recruiter_analysis: null, key_statement: null, dropped: 2 });
  });

  it('drops texts that Postgres cannot store', async () => {
    const summary = await run(
      written({
        strengths: [claim(1, 'led the billing project', 'Led\0 a project.')],
        recruiter_analysis: 'Led a project \ud83d.',
      }),
    );
    expect(summary).toMatchObject({ strengths: [], recruiter_analysis: null, dropped: 2 });
  });

  it('has takeaways with proof for coaching, and no key statement', async () => {
    const { key_statement: _none, ...rest } = written();
    const step = {
      text: 'Say the goal.',
      priority: 'quick',
      guidance: { kind: 'say', text: 'Our goal was …' },
      proof: { answer: 2, quote: 'tested far too late' },
    };
    const takeaways = {
      what_went_well: [
        claim(1, 'led the billing project', 'You led.'),
        claim(1, 'never said so', 'You won.'),
      ],
      next_steps: [
        step,
        { ...step, proof: null },
        { ...step, text: 'Unproven.', proof: { answer: 2, quote: 'never said so' } },
      ],
      fixed: [
        { step: 2, answer: 2, quote: 'tested far too late' },
        { step: 1, answer: 2, quote: 'never said so' },
      ],
    };
    const summary = await run({ ...rest, takeaways }, { type: 'coaching' });
    expect(summary.key_statement).toBeNull();
    expect(summary.takeaways).toEqual({
      what_went_well: ['You led.'],
      next_steps: [
        { ...step, proof: [{ kind: 'quote', text: 'tested far too late', turn_id: 't2' }] },
        { ...step, proof: [] },
      ],
      fixed: ['Say what you tested'],
    });
  });

  it('keeps numbers in words that the candidate said', async () => {
    const said = [{ turn_id: 't1', question: 'What?', answer: 'We saved forty percent of the costs.' }];
    const strengths = [claim(1, 'saved forty percent', 'Saved forty percent.')];
    const reply = written({ strengths, concerns: [], recruiter_analysis: 'Saved eighty percent.' });
    expect(await run(reply, { answers: said })).toMatchObject({
      strengths: [{ text: 'Saved forty percent.' }],
      recruiter_analysis: null,
    });
  });

  it('asks for one repair of texts in another script, and writes nothing if that fails', async () => {
    const japanese = written({
      strengths: [claim(1, 'led the billing project', '課金プロジェクトを率いました。')],
      concerns: [],
      candidate_analysis: '課金プロジェクト（billing project）を率いたことが分かります。',
      recruiter_analysis: 'プロジェクトを率いた。',
    });
    const repaired = scriptModel(written(), japanese);
    expect(await summarize(repaired.model, { ...input, language: 'ja' }, limits)).toMatchObject({
      strengths: [{ text: '課金プロジェクトを率いました。' }],
      refused: null,
    });
    expect(JSON.stringify(repaired.calls[1]?.messages)).toContain('the texts must be in Japanese');
    const english = scriptModel(written(), written());
    expect(await summarize(english.model, { ...input, language: 'ja' }, limits)).toMatchObject({
      strengths: [],
      candidate_analysis: null,
      refused: 'malformed',
    });
  });

  it('writes nothing without evidence, after a refusal and for a malformed reply', async () => {
    const silent = scriptModel();
    const evidence = [
      { turn_id: null, bracket: 'weak' as const, text: 'x', met: 'no' as const, quote: null },
    ];
    const nothing = { strengths: [], concerns: [], candidate_analysis: null, key_statement: null };
    expect(await summarize(silent.model, { ...input, evidence }, limits)).toMatchObject({
      ...nothing,
      refused: null,
    });
    expect(await summarize(scriptModel(null).model, input, limits)).toMatchObject({
      ...nothing,
      refused: 'refused',
    });
    expect(await summarize(scriptModel('x', 'y').model, input, limits)).toMatchObject({
      ...nothing,
      refused: 'malformed',
    });
  });
});
