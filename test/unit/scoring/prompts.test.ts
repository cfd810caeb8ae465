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
      'answer-assessment/2 2635f30e5ac025b4',
      'session-assessment/2 25d0b4724169c362',
      'result-summary/4 d7ef131b7f8d1d52',
      'knowledge-comparison/1 47b8ffaffa40fdcc',
      'role-play-answer/2 c43842b83da1ad58',
      'role-play-session/2 88390e36d92e5898',
    ]);
  });
});
