import { linkEvidence } from '../../../api/results/evidence';
import { Assessment } from '../../../api/results/result-assessment';
import { resultDetailsExample } from '../../../api/results/result-example';
import { Transcript } from '../../../api/results/result-transcript';
import type { ResultDetails } from '../../../api/results/result-words';
import { ScoringRecord } from '../../../api/results/scoring-record';
import { render } from '../../harness/identity/visitor';
import {
  criterion,
  followUp,
  noReview,
  quoteOf,
  resultOf,
  run,
  said,
  scored,
  turn,
} from './reviewed-result.fixture';

const transcript = (result: ResultDetails, offset = 0) =>
  render(<Transcript result={result} evidence={linkEvidence(result)} review={noReview} offset={offset} />);
const assessment = (result: ResultDetails, review = noReview) =>
  render(<Assessment result={result} evidence={linkEvidence(result)} review={review} offset={0} />);

describe('the evidence of a result', () => {
  it('is highlighted, with links from the criterion to the passage and back', () => {
    const html = transcript(resultOf({ raw: scored([criterion({})]) }));
    expect(html).toContain('<mark class="strong"><span id="passage-1-1"></span>cut waste by half</mark>');
    expect(html).toContain('<a class="mark-link" href="#criterion-1-1" aria-label="Criterion 1">1</a>');
    expect(html).toContain('<li id="criterion-1-1">');
    expect(html).toContain('<a href="#passage-1-1"><bdi>“cut waste by half”</bdi></a>');
  });

  it('says met, not met and unclear, with quotes of met criteria only', () => {
    const others = [
      criterion({ met: 'no', quote: null }),
      criterion({ met: 'unclear', quote: 'hidden quote' }),
    ];
    const html = transcript(resultOf({ raw: scored([criterion({}), ...others]) }));
    for (const word of ['>Met<', '>Not met<', '>Unclear<']) expect(html).toContain(word);
    expect(html).not.toContain('hidden quote');
  });

  it('can stand in the answer to a follow-up question', () => {
    const inFollowUp = criterion({ turn_id: followUp, quote: 'saved 20 tons', start: 3, end: 16 });
    expect(transcript(resultOf({ raw: scored([inFollowUp]) }))).toMatch(
      /<mark class="strong"><span id="passage-1-1"><\/span>saved 20 tons<\/mark>/,
    );
  });

  it('may overlap without losing or repeating text', () => {
    const spans = [
      quoteOf('I led four people 👍 and'),
      quoteOf('people 👍 and we cut'),
      quoteOf('<b>here</b>'),
    ];
    const html = transcript(resultOf({ raw: scored(spans.map((span) => criterion(span))) }));
    const paragraph = /<p class="answer" dir="auto">(.*?)<\/p>/.exec(html)?.[1] ?? '';
    const text = paragraph.replaceAll(/<sup>.*?<\/sup>/g, '').replaceAll(/<\/?(?:mark|span)[^>]*>/g, '');
    expect(text).toBe(said.replaceAll('<', '&lt;'));
    expect(html).not.toContain('<b>here');
    // The two passages that overlap are in one marked part of the text, and the third passage is in another.
    expect(paragraph.split('<span class="evidence">')).toHaveLength(3);
  });

  it.each([
    ['offsets beyond the end', { start: 5, end: 100_000, quote: 'never said' }],
    ['offsets the wrong way around', { start: 30, end: 3, quote: 'never said' }],
    ['offsets that are texts', { start: 'a', end: {}, quote: 'never said' }],
    ['an unknown turn', { turn_id: 'other', quote: 'cut waste by half' }],
    ['offsets of a text that was edited since', { start: 0, end: 10, quote: 'never said' }],
  ])('is shown as a quote without a link with %s', (_what, wrong) => {
    const html = transcript(resultOf({ raw: scored([criterion(wrong)]) }));
    expect(html).not.toContain('<mark');
    expect(html).toContain('(not in the transcript)');
  });

  it('keeps characters of two units whole', () => {
    const at = said.indexOf('👍');
    const html = transcript(resultOf({ raw: scored([criterion({ quote: null, start: 2, end: at + 1 })]) }));
    expect(html).toContain('led four people 👍</mark>');
  });

  it.each([null, 7, 'text', [], { criteria: 'none' }, { criteria: [null, { met: 'yes' }] }])(
    'leaves out what has another form: %j',
    (raw) => expect(transcript(resultOf({ raw }))).toContain('I led four people'),
  );

  it('backs strengths, concerns and the key statement', () => {
    const half = { ...quoteOf('cut waste by half'), result_question_id: turn };
    const result = resultOf({
      analyses: {
        strengths_concerns: { strengths: ['Saves <i>waste</i>.'], concerns: ['Vague.', 'No quote.'] },
        evidence: { strengths: [half], concerns: [{ ...half, quote: 'never said' }] },
        key_statement: half,
      },
    });
    const html = assessment(result);
    expect(html).toMatch(
      /<li id="strength-1"><bdi>Saves &lt;i>waste&lt;\/i>\.<\/bdi>.*?href="#passage-strength-1"/,
    );
    expect(html).toMatch(/id="key-statement-1".*?href="#passage-key-statement-1"/);
    expect(html).toContain('“never said”</bdi> (not in the transcript)');
    expect(transcript(result)).toContain('href="#strength-1" aria-label="Strength 1">S1</a>');
  });

  it('is not needed to show strengths and concerns', () => {
    const html = assessment(
      resultOf({ analyses: { strengths_concerns: { strengths: ['Exact.'], concerns: [] } } }),
    );
    expect(html).toContain('<li id="strength-1"><bdi>Exact.</bdi></li>');
    expect(html).not.toContain('Concerns');
  });

  it('links to another page of a long transcript', () => {
    const parts = resultOf({ raw: scored([criterion({})]) }).transcript;
    const long = { ...parts[1], id: 'long', answer: 'a'.repeat(200_000) };
    const result = resultOf({ more: { transcript: [long, ...parts] } });
    expect(assessment(result)).toContain(
      `href="/console/results/${result.interview_result_id}?transcript=1#part-2"`,
    );
  });
});

describe('the assessment of a result', () => {
  it('shows the score on its scale, its rating and what it means', () => {
    const analyses = { score_rationale: { bracket: 'strong', strong: '2 of 3' } };
    const html = assessment(resultOf({ analyses, more: { score: 74 } }), { ...noReview, max_score: 100 });
    expect(html).toContain('<a href="#answer-scores">74</a></strong> of 100');
    expect(html).toContain('Strong: quotes from the answers');
    expect(html).toMatch(/Criteria met for a strong answer<\/dt><dd>2 of 3/);
  });

  const unscored = (reason: string | null, more: object = {}) => {
    const raw = { status: 'insufficient_evidence', reason, criteria: [] };
    const scoring = { ...resultDetailsExample.scoring, state: 'scored', score_ai: null };
    const result = resultOf({ raw, more: { score: null, scoring, ...more } });
    result.transcript[0] = { ...result.transcript[0], score: null, score_answer_ai: null } as never;
    return result;
  };

  it('shows insufficient evidence as such and not as a low score', () => {
    const result = unscored('too_little_said');
    expect(assessment(result)).toContain('This is not a low score.');
    expect(assessment(result).split('Insufficient evidence')).toHaveLength(3);
    expect(transcript(result)).toContain('The candidate said too little to score this answer.');
    expect(transcript(result)).not.toContain(' of 5');
  });

  it.each([
    ['no_rubric', 'Not scored', 'there is nothing to score'],
    ['no_answer', 'Not answered', 'did not answer the scored questions'],
    ['unavailable_transcript', 'No transcript', 'Listen to them'],
    ['refused', 'Insufficient evidence', 'The model declined'],
    ['unheard of', 'Insufficient evidence', 'Each answer below says why'],
  ])('says why there is no score: %s', (reason, label, words) => {
    const html = assessment(unscored(reason));
    expect(html.split(`>${label}<`)).toHaveLength(3);
    expect(html).toContain(words);
    expect(html).not.toContain('too little to compute');
  });

  it.each([
    ['failed', { processing_status: 'failed' }, 'Score again'],
    ['in progress', { processing_status: 'processing' }, 'Scoring is in progress'],
    ['not submitted', { result_status: 'draft', processing_status: null }, 'not submitted yet'],
  ])('says that the scoring is %s', (_what, states, words) => {
    expect(assessment(unscored(null, states))).toContain(words);
  });

  it('leads from each number to a quote in two clicks', () => {
    const session = [criterion({ turn_id: followUp, quote: 'saved 20 tons', start: 3, end: 16 })];
    const analyses = { score_rationale: { bracket: 'strong' }, session_criteria: session };
    const result = resultOf({ raw: scored([criterion({})]), analyses });
    const html = assessment(result);
    expect(html).toContain('<strong class="score"><a href="#session-criteria">7.5</a></strong>');
    expect(html).toMatch(/<section id="session-criteria">.*?href="#passage-session-1"/);
    expect(html).toMatch(/<section id="answer-scores">.*?href="#part-1">4.2<.*?href="#passage-1-1"/);
    expect(html).toContain('<dd><a href="#answer-scores">4</a></dd>');
    expect(transcript(result)).toMatch(/<span id="passage-session-1"><\/span>saved 20 tons/);
    expect(transcript(result)).toContain('href="#session-criterion-1"');
  });

  it('explains flags in plain words, and shows others as they are', () => {
    const risk = (key: string) => ({ key, severity: 'warning', note: `note of ${key}` });
    const keys = [
      'instructs_the_assessor',
      'needs_review',
      'edited_after',
      'unavailable_transcript',
      'constructor',
    ];
    const html = assessment(resultOf({ more: { recruiter_risks: keys.map(risk) } }));
    for (const words of [
      'tells the assessor what to do',
      'note of needs_review',
      'edited answers',
      'Listen to',
    ])
      expect(html).toContain(words);
    expect(html).toContain('note of constructor');
  });
});

describe('the record of a scoring', () => {
  it('shows what the score rests on, and what a later run changed', () => {
    const result = resultOf({});
    const review = { ...noReview, runs: [run, { ...run, run: 1, changes: [] }] };
    const html = render(
      <ScoringRecord review={review} evidence={linkEvidence(result)} toPart={(_index, id) => `#${id}`} />,
    );
    for (const value of [
      'model-1',
      'answer/1',
      'rubric/1:abc',
      '95%',
      '12,345',
      '$0.0123',
      '1.3 s',
      'from 6.9 to 7.4',
    ])
      expect(html).toContain(value);
    expect(html).toMatch(/href="#part-1">.*?computed score from none to 4\.2/);
    expect(html).toContain('Changed by scoring 2');
    expect(html).toMatch(/Scoring 1: .*?Nothing/s);
  });
});
