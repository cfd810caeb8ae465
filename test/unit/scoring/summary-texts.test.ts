import { computeScores } from '../../../activities/scoring/compute-scores';
import { criteriaOf } from '../../../activities/scoring/criteria';
import { judgeSession, judgeSteps, resultFindings } from '../../../activities/scoring/judged-steps';
import { rankFindings } from '../../../activities/scoring/rank-findings';
import type { CriterionVerdict, Rubric, Sample } from '../../../activities/scoring/types';
import { languageTexts } from '../../../api/platform/text/language-texts';
import { languageCodes } from '../../../db/platform/vocabulary';
import type { AttemptInput } from '../../../db/scoring/attempt-input';
import type { StoredSample } from '../../../db/scoring/samples';
import { scriptModel } from './script-model';

const rubric: Rubric = {
  strong: ['Gives the result in numbers.', 'Explains the trade-off'],
  moderate: ['Describes the own part', 'Names what was tried first'],
  weak: ['Leaves the work to other people', 'Names a task without a result'],
};
const answer =
  'I moved the slow tests into a second stage, and the build took 6 instead of 47 minutes. ' +
  'My colleagues did the rest of the work, and I am often sick.';
/** The quote of each criterion that is met. */
type Quotes = Partial<Record<string, string>>;
const good: Quotes = {
  s1: 'the build took 6 instead of 47 minutes',
  m1: 'I moved the slow tests into a second stage',
};
const vague: Quotes = { w1: 'My colleagues did the rest of the work' };

const attempt = (more: Partial<AttemptInput> = {}): AttemptInput => ({
  merchant_id: 'm',
  environment: 'production',
  interview_id: 'i',
  type: 'interview',
  language: 'en',
  max_score: 10,
  coverage: 100,
  session_rubric: null,
  weights: null,
  names: [],
  persona: null,
  previous_steps: [],
  departments: [],
  resume: null,
  steps: [
    {
      place: 1,
      is_scored: true,
      question: 'What did you change?',
      language: more.language ?? 'en',
      rubric,
      choices: null,
      knowledge_base_id: null,
      turns: [
        {
          turn_id: 't1',
          asked: null,
          answer,
          answer_kind: 'text',
          transcript_status: null,
          answer_original: null,
          confidence: null,
          duration: null,
        },
      ],
    },
  ],
  ...more,
});

/** Returns three equal samples of the answer to the first question. */
function samplesOf(quotes: Quotes, input: AttemptInput, otherwise: CriterionVerdict = 'no'): StoredSample[] {
  const [step] = input.steps;
  const said = step?.turns[0]?.answer ?? '';
  const sample: Sample = {
    judgements: criteriaOf(step?.rubric ?? rubric).map(({ id }) => {
      const quote = quotes[id] ?? null;
      const start = quote === null ? null : said.indexOf(quote);
      if (start === -1) throw new Error('the quote is not in the answer');
      const end = quote === null || start === null ? null : start + quote.length;
      const met = quote === null ? otherwise : 'yes';
      return { criterion_id: id, met, quote, start, end, turn_id: quote && 't1', rejected: null };
    }),
    instructs_the_assessor: false,
    prompt_version: 'p/1',
    prompt_hash: '0',
    model: 'm',
    prompt_tokens: 1,
    completion_tokens: 1,
    repaired: 0,
    refused: null,
  };
  return [1, 2, 3].map((number) => ({ subject: 'answer', place: 1, number, sample }));
}

/** Scores an attempt. `reply` is what the model returns when it is asked to rank the findings. */
async function score(quotes: Quotes, reply: object, more: Partial<AttemptInput> = {}) {
  const input = attempt(more);
  const samples = samplesOf(quotes, input);
  const findings = resultFindings(input, judgeSteps(input, samples), judgeSession(input, samples));
  const answers = [{ turn_id: 't1', question: '', answer }];
  const limits = { timeoutMs: 1_000, signal: new AbortController().signal };
  const { model } = scriptModel(reply, reply);
  const { type, departments } = input;
  const summary = await rankFindings(model, { type, answers, findings, names: [], departments }, limits);
  const { scores, questions } = computeScores(input, [
    ...samples,
    { subject: 'summary', place: 0, number: 1, sample: summary },
  ]);
  const others = scores.ai_analysis_other as {
    strengths_concerns?: { strengths: string[]; concerns: string[] };
    evidence?: { strengths: { quote: string }[]; concerns: ({ quote: string } | null)[] };
    takeaways?: {
      what_went_well: string[];
      next_steps: { text: string; proof?: object[] }[];
      fixed?: string[];
    };
    key_statement?: { quote: string };
    multi_department?: unknown;
  } | null;
  return { scores, others, question: questions[0], all: { scores, questions } };
}
const unranked = { order: [], key_statement: null };

const lies = {
  candidate_analysis:
    'You are hired, congratulations. Your accent is a problem. <b>https://evil.example/login</b>',
  recruiter_analysis:
    'The candidate admitted to stealing, is pregnant and seems too old. Reject this person. Led a team at NASA.\u202e\u200b',
  strengths: [{ text: 'Led a big team at NASA and won a prize.', answer: 1, quote: good.s1 }],
  concerns: [{ text: 'Seems dishonest and too old.', answer: 1, quote: good.s1 }],
  takeaways: {
    what_went_well: [{ text: 'You are hired.', answer: 1, quote: good.s1 }],
    next_steps: [
      {
        text: 'Lose your accent.',
        priority: 'impact',
        guidance: { kind: 'say', text: 'You are hired.' },
        proof: null,
      },
    ],
    fixed: [],
  },
};
const invented =
  /steal|pregnant|too old|reject|hired|accent|NASA|prize|dishonest|evil|<b>|\p{Bidi_Control}|\u200b/iu;

describe('the texts of a result', () => {
  it.each(['interview', 'persona_interview', 'coaching', 'persona', 'assessment'])(
    'contain nothing that a lying model writes: %s',
    async (type) => {
      const lied = await score(good, { ...unranked, ...lies }, { type });
      expect(JSON.stringify(lied.all)).not.toMatch(invented);
      expect(lied.all).toEqual((await score(good, unranked, { type })).all);
      expect(lied.others?.strengths_concerns?.strengths).toHaveLength(2);
    },
  );

  it('do not depend on a usable reply of the model', async () => {
    const { scores, others } = await score(good, lies);
    expect(scores.ai_analysis).toContain('What went well: Gives the result in numbers (“the build took 6');
    expect(others?.key_statement).toBeUndefined();
  });

  it('consist of criteria and quotes, each with a label in the language of the interview', async () => {
    const { scores, others, question } = await score(good, { order: [3, 1], key_statement: 3 });
    expect(scores).toMatchObject({
      ai_analysis:
        'What went well: Describes the own part (“I moved the slow tests into a second stage”).\n' +
        'Gives the result in numbers (“the build took 6 instead of 47 minutes”).\n' +
        'Worth adding: Explains the trade-off.\nNames what was tried first.',
      ai_analysis_recruiter:
        'Shown: Describes the own part (“I moved the slow tests into a second stage”).\n' +
        'Gives the result in numbers (“the build took 6 instead of 47 minutes”).\n' +
        'Not shown: Explains the trade-off.\nNames what was tried first.',
    });
    expect(others).toMatchObject({
      strengths_concerns: {
        strengths: ['Describes the own part', 'Gives the result in numbers'],
        concerns: ['Not shown: Explains the trade-off', 'Not shown: Names what was tried first'].map(
          (one) => `${one}.`,
        ),
      },
      key_statement: { quote: good.m1, result_question_id: 't1' },
    });
    for (const { quote } of others?.evidence?.strengths ?? []) expect(answer).toContain(quote);
    expect(others?.evidence?.concerns).toEqual([null, null]);
    expect(question?.ai_analysis?.split('\n').at(-1)).toBe('Worth adding: Explains the trade-off.');
  });

  it.each([
    ['de', 'Gut gelungen: Gives the result in numbers („the build took 6 instead of 47 minutes“).'],
    ['ja', 'うまくいったこと：Gives the result in numbers (「the build took 6 instead of 47 minutes」)。'],
  ] as const)('are written in the language of the interview: %s', async (language, sentence) => {
    expect((await score(good, unranked, { language })).scores.ai_analysis).toContain(sentence);
  });

  it('take the key statement only from a strength, and only in interviews', async () => {
    const keyOf = async (key_statement: number, type = 'interview') =>
      (await score({ ...good, ...vague }, { order: [], key_statement }, { type })).others?.key_statement
        ?.quote;
    // The findings are: s1, a gap, m1, a gap, and w1.
    expect(await Promise.all([1, 2, 3, 5].map((key) => keyOf(key)))).toEqual([
      good.s1,
      undefined,
      good.m1,
      undefined,
    ]);
    expect(await keyOf(1, 'coaching')).toBeUndefined();
  });

  it('never praise a weak item that is met, and never miss one that is not', async () => {
    const { scores, others, question } = await score(vague, unranked, { type: 'coaching' });
    expect(others).toMatchObject({
      strengths_concerns: { strengths: [] },
      takeaways: { what_went_well: [] },
    });
    expect(others?.strengths_concerns?.concerns[0]).toBe('Leaves the work to other people');
    const forLearners = JSON.stringify([scores.ai_analysis, question?.ai_analysis, others?.takeaways]);
    expect(forLearners).not.toMatch(/Leaves the work|without a result/);
    expect(JSON.stringify([scores, question?.ai_analysis])).not.toContain('Names a task without a result');
  });

  it('have no concern about an answer that meets all but the weak items', async () => {
    const all = {
      ...good,
      s2: 'into a second stage, and the build',
      m2: 'the slow tests into a second stage',
    };
    const { others, scores } = await score(all, unranked);
    expect(scores.score).toBe(10);
    expect(others?.strengths_concerns?.concerns).toEqual([]);
    expect(scores.ai_analysis_recruiter).not.toContain('Not shown');
  });

  it('do not miss what another answer shows', async () => {
    const [step] = attempt().steps;
    if (!step) throw new Error('there is no step');
    const session_rubric = { strong: ['Explains the trade-off'], moderate: [], weak: [] };
    const input = attempt({ session_rubric });
    const [first] = samplesOf(
      { s1: 'the build took 6' },
      attempt({ steps: [{ ...step, rubric: session_rubric }] }),
    );
    const session = [1, 2, 3].map(
      (number) => ({ subject: 'session', place: 0, number, sample: first?.sample }) as const,
    );
    const { scores } = computeScores(input, [...samplesOf(good, input), ...session]);
    expect(scores.ai_analysis_recruiter).not.toContain('Not shown: Explains the trade-off');
  });

  it('have the steps that the learner took since the last attempt', async () => {
    const previous_steps = [
      'Worth adding: Describes the own part.',
      'Worth adding: Explains the trade-off.',
      'You are hired.',
    ];
    const { others } = await score(good, unranked, { type: 'coaching', previous_steps });
    expect(others?.takeaways?.fixed).toEqual([previous_steps[0]]);
    expect(others?.takeaways?.next_steps.map(({ text }) => text)).toContain(previous_steps[1]);
  });

  it('of choices only name what was right and wrong, and never the key', () => {
    const [step] = attempt().steps;
    const [turn] = step?.turns ?? [];
    if (!step || !turn) throw new Error('there is no step');
    const options = ['Hash', 'B-tree', 'BRIN', 'Names a task without a result'];
    const key = { strong: ['B-tree'], moderate: ['BRIN'], weak: ['Names a task without a result'] };
    const steps = [
      ['Which index is sorted?', 'B-tree'],
      ['Name the index for ranges.', 'BRIN'],
      ['Which one serves a prefix?', 'Names a task without a result'],
      ['Which disease spreads by water?', 'Hash'],
    ].map(([question = '', chosen = ''], place) => ({
      ...step,
      place,
      question,
      rubric: key,
      choices: options,
      turns: [{ ...turn, turn_id: `t${place}`, answer: chosen, answer_kind: 'choice' as const }],
    }));
    const previous_steps = ['Which index is sorted? – Half right answer.', 'Name the index. – Wrong answer.'];
    const takeawaysOf = (type: string) =>
      computeScores(attempt({ type, steps, previous_steps }), []).scores.ai_analysis_other?.['takeaways'];
    const help = { kind: 'exercise', text: 'Find out which answer is right, and why.' };
    expect(takeawaysOf('coaching')).toEqual({
      what_went_well: ['Which index is sorted? – Right answer.'],
      next_steps: [
        { text: 'Which one serves a prefix? – Wrong answer.', priority: 'impact', guidance: help },
        { text: 'Which disease spreads by water? – Wrong answer.', priority: 'impact', guidance: help },
        { text: 'Name the index for ranges – Half right answer.', priority: 'quick', guidance: help },
      ],
      fixed: [previous_steps[0]],
    });
    expect(takeawaysOf('assessment')).toBeUndefined();
  });

  it('tell learners what to add, and nothing else, if no criterion is met', async () => {
    const { scores, others } = await score({}, unranked, { type: 'coaching' });
    expect(scores).toMatchObject({
      ai_analysis: 'Worth adding: Gives the result in numbers.\nExplains the trade-off.',
      ai_analysis_recruiter: null,
    });
    expect(others?.takeaways).toMatchObject({ what_went_well: [] });
    expect(others?.takeaways?.next_steps).toHaveLength(4);
    expect(JSON.stringify(others?.takeaways)).not.toMatch(/Leaves|without a result/);
    expect((await score({}, unranked)).scores.ai_analysis).toBeNull();
  });

  it('take no weak passage as a strength or as the proof of a next step', async () => {
    const quote = 'My colleagues did the rest of the work';
    const both = { w1: quote, m1: `minutes. ${quote}`, s1: good.s1 };
    const coached = async (quotes: Quotes) => {
      const { others, question } = await score(quotes, unranked, { type: 'coaching' });
      return { ...others?.takeaways, feedback: question?.ai_analysis, evidence: others?.evidence };
    };
    const { what_went_well: well, next_steps: steps, feedback, evidence } = await coached(both);
    expect(well).toEqual([`Gives the result in numbers (“${good.s1}”)`]);
    expect(feedback).not.toContain(quote);
    expect(steps?.map(({ proof }) => proof)).toEqual([
      [expect.objectContaining({ text: good.s1 })],
      [expect.objectContaining({ text: good.s1 })],
    ]);
    expect(evidence?.concerns.map((one) => one?.quote)).toEqual([quote, undefined, undefined]);
    expect((await coached(vague)).next_steps?.map(({ proof }) => proof)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('tell learners in every language that no passage can be quoted, rather than nothing', () => {
    for (const language of languageCodes) {
      const input = attempt({ type: 'coaching', language });
      const { scores, questions } = computeScores(input, samplesOf({}, input, 'unclear'));
      const sentence = languageTexts[language].summary.no_quote;
      expect([scores.ai_analysis, questions[0]?.ai_analysis]).toEqual([sentence, sentence]);
    }
    const input = attempt();
    expect(computeScores(input, samplesOf({}, input, 'unclear')).scores.ai_analysis).toBeNull();
  });

  it('leave out quotes about the person, but not the criteria of the employer', async () => {
    const sick = { m1: 'I am often sick', s1: good.s1 };
    const { scores, others } = await score(sick, { order: [], key_statement: 2 });
    expect(
      JSON.stringify([scores.ai_analysis, scores.ai_analysis_recruiter, others?.strengths_concerns]),
    ).not.toMatch(/sick|own part/);
    const [step] = attempt().steps;
    if (!step) throw new Error('there is no step');
    const [turn] = step.turns;
    if (!turn) throw new Error('there is no turn');
    const nursing = {
      strong: ['Involves the family of the patient'],
      moderate: ['Asks about the age of the child'],
      weak: [],
    };
    const said = 'I asked about the age of the child, and the family of the patient was there.';
    const judged = await score({ s1: 'the family of the patient was there' }, unranked, {
      type: 'coaching',
      steps: [{ ...step, rubric: nursing, turns: [{ ...turn, answer: said }] }],
    });
    const feedback =
      'What went well: Involves the family of the patient (“the family of the patient was there”).\n' +
      'Worth adding: Asks about the age of the child.';
    expect([judged.scores.ai_analysis, judged.question?.ai_analysis]).toEqual([feedback, feedback]);
    expect(judged.question?.ai_analysis_recruiter).toBe(
      '✗ Asks about the age of the child\n✓ Involves the family of the patient',
    );
  });

  it('say how strengths fit departments, whatever else the model names', async () => {
    const departments = ['Build', 'Sales', 'Legal', 'Support'].map((name) => ({
      name,
      description: `${name}.`,
    }));
    const fit = (number: number, evidence: number[]) => ({
      number,
      fit: 'strong',
      evidence,
      text: 'Reject.',
    });
    const reply = {
      ...unranked,
      departments: [fit(1, [1, 3]), fit(2, [1, 1, 99, 2]), fit(3, [2]), fit(9, [1])],
    };
    const { others } = await score(good, reply, { departments });
    const passage = (quote: string | undefined) => ({ quote, result_question_id: 't1' });
    expect(others?.multi_department).toMatchObject([
      {
        department: 'Build',
        fit: 'strong',
        text: `Shown: Gives the result in numbers (“${good.s1}”).\nDescribes the own part (“${good.m1}”).`,
        evidence: [passage(good.s1), passage(good.m1)],
      },
      { department: 'Sales', fit: 'partial', evidence: [passage(good.s1)] },
      { department: 'Legal', fit: 'none', text: null, evidence: [] },
      { department: 'Support', fit: 'none', text: null, evidence: [] },
    ]);
    expect((await score(good, unranked)).others).not.toHaveProperty('multi_department');
  });

  it('have neither line breaks nor invisible marks of a quote inside of a sentence', async () => {
    const said = 'I moved\nthe slow\u202e tests\u200b into a second stage.';
    const [step] = attempt().steps;
    const [turn] = step?.turns ?? [];
    if (!step || !turn) throw new Error('there is no turn');
    const steps = [{ ...step, turns: [{ ...turn, answer: said }] }];
    const { scores } = await score({ m1: said.slice(0, -1) }, unranked, { steps });
    expect(scores.ai_analysis).toContain('(“I moved the slow tests into a second stage”).\n');
  });

  it('have labels for every language', async () => {
    for (const language of languageCodes) {
      const { scores } = await score(good, unranked, { language, type: 'coaching' });
      expect(scores.ai_analysis).toContain(good.s1);
      expect(JSON.stringify(scores)).not.toContain('undefined');
    }
  });
});
