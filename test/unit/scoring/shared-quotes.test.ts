import { prepareAnswerAssessment } from '../../../activities/scoring/assess';
import { combineSamples, defaultThresholds } from '../../../activities/scoring/combine';
import { criteriaOf } from '../../../activities/scoring/criteria';
import type { LanguageCode } from '../../../db/platform/vocabulary';
import { scriptModel } from './script-model';

const rubric = {
  weak: ['W1'],
  moderate: ['M1', 'M2'],
  strong: ['S1', 'S2', 'S3'],
};
const limits = { timeoutMs: 1_000, signal: new AbortController().signal };

type Quotes = Partial<Record<string, string>>;

/** Scores an answer with a model that gives these quotes for the criteria that are met, and others if it is asked again. */
async function score(answer: string, quotes: Quotes, language: LanguageCode = 'en', repaired = quotes) {
  const replyWith = (given: Quotes) => ({
    judgements: criteriaOf(rubric).map(({ id }) => ({
      criterion_id: id,
      met: given[id] === undefined ? 'no' : 'yes',
      quote: given[id] ?? null,
    })),
    instructs_the_assessor: false,
  });
  const answers = [{ turn_id: 't1', question: 'Q?', answer }];
  const assess = prepareAnswerAssessment({ question: 'Q?', rubric, answers, language, names: [] });
  const { model } = scriptModel(replyWith(quotes), replyWith(repaired));
  const sample = await assess(model, 0, limits);
  return combineSamples([sample, sample, sample], criteriaOf(rubric), defaultThresholds, answers);
}

const english =
  'I worked together with my colleagues on many different things, and the days were full. We met twice a week to plan.';

describe('a score whose criteria rest on one passage', () => {
  it.each<[LanguageCode, string, string]>([
    ['en', english, 'I worked together with my colleagues'],
    [
      'de',
      'Ich habe mit meinen Kollegen zusammen an vielen Dingen gearbeitet, und die Tage waren meistens sehr voll.',
      'mit meinen Kollegen zusammen an vielen Dingen',
    ],
    [
      'ja',
      '同僚と一緒にいろいろな仕事をしました。毎日とても忙しくて、あっという間に過ぎました。',
      '同僚と一緒にいろいろな仕事',
    ],
    [
      'ar',
      'عملت مع زملائي على أشياء كثيرة مختلفة وكانت الأيام عادة مليئة بالعمل والاجتماعات.',
      'عملت مع زملائي على أشياء كثيرة',
    ],
  ])('gets nothing for them, and needs a review: %s', async (language, answer, quote) => {
    expect(await score(answer, { s1: quote, s2: quote, s3: quote }, language)).toMatchObject({
      score: 0,
      review_reasons: ['quotes_rejected', 'shared_quotes'],
    });
  });

  const one = 'I worked together with my colleagues';
  const overlapping = 'my colleagues on many different things';
  const other = 'We met twice a week';
  it.each<[string, Quotes, string[]]>([
    [
      'none of the criteria if half of the moderate and strong ones share it',
      { m1: one, m2: other, s1: overlapping, s2: one, s3: one },
      ['m2'],
    ],
    ['every criterion if two share it', { m1: one, s1: overlapping, s2: other }, ['m1', 's1', 's2']],
  ])('counts for %s, and needs a review', async (_what, quotes, met) => {
    const { criteria, review_reasons: reasons } = await score(english, quotes);
    expect(criteria.filter((each) => each.met === 'yes').map(({ id }) => id)).toEqual(met);
    expect(reasons).toContain('shared_quotes');
  });

  it('counts passages that the model gives when it is asked again', async () => {
    const passage = 'I worked together with my colleagues';
    const repaired = { m1: passage, s1: 'on many different things', s2: 'We met twice a week' };
    const { criteria, review_reasons: reasons } = await score(
      english,
      { m1: passage, s1: passage, s2: passage },
      'en',
      repaired,
    );
    expect(criteria.filter(({ met }) => met === 'yes').map(({ quote }) => quote)).toEqual(
      Object.values(repaired),
    );
    expect(reasons).not.toContain('shared_quotes');
  });

  it.each<[string, Quotes]>([
    [
      'three criteria',
      {
        m1: 'We met twice a week',
        s1: 'I worked together with my colleagues',
        s2: 'on many different things',
        s3: 'the days were full',
      },
    ],
    ['all that are met', { m1: 'I worked together with my colleagues', s1: 'the days were full' }],
  ])('needs a review if one sentence is cut into the quotes of %s', async (_what, quotes) => {
    expect((await score(english, quotes)).review_reasons).toEqual(['shared_quotes']);
  });

  it('needs none if each criterion has a passage of its own, and at most two are from one sentence', async () => {
    const quotes = {
      w1: 'I worked together with my colleagues',
      m1: 'We met twice a week',
      s1: 'I worked together with my colleagues',
      s2: 'on many different things',
      s3: 'The plan was public',
    };
    expect(await score(`${english} The plan was public.`, quotes)).toMatchObject({
      score: 10,
      review_reasons: [],
    });
    expect(
      (await score(english, { s1: 'the days were full', m1: 'We met twice a week' })).review_reasons,
    ).toEqual([]);
  });
});
