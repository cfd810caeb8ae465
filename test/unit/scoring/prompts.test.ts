import {
  answerAssessment,
  knowledgeComparison,
  resultSummary,
  rolePlayAnswer,
  rolePlaySession,
  sessionAssessment,
} from '../../../activities/scoring/prompts';

describe('the prompts of scoring', () => {
  // A changed hash means that the wording changed. Increment the version of that prompt, and enter the new version
  // and hash here.
  it('have a new version for every wording', () => {
    const versions = [
      answerAssessment,
      sessionAssessment,
      resultSummary,
      knowledgeComparison,
      rolePlayAnswer,
      rolePlaySession,
    ].map(({ version, hash }) => `${version} ${hash}`);
    expect(versions).toEqual([
      'answer-assessment/1 5a4bc5f7fdff1d52',
      'session-assessment/1 58788c66990ef18a',
      'result-summary/4 d7ef131b7f8d1d52',
      'knowledge-comparison/1 47b8ffaffa40fdcc',
      'role-play-answer/1 a5e4355e6550494c',
      'role-play-session/1 a72060e76e46e5c7',
    ]);
  });
});
