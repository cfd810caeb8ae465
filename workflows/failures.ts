/** Types of the failures that end a workflow; operators search by them. */
export const failures = {
  /** The row is gone or past its deadline: its request has answered already. */
  interviewGone: 'InterviewGone',
  /** The model cannot be asked, or not again inside the time that is left. */
  modelUnavailable: 'ModelUnavailable',
  /** The model refused, or answered something unusable twice. */
  modelAnswerUnusable: 'ModelAnswerUnusable',
  /** The mail provider does not take this mail or its address. */
  mailRefused: 'MailRefused',
  /** The mail provider answered nothing useful for as long as the mail was worth anything. */
  mailProviderUnavailable: 'MailProviderUnavailable',
  /** Support took the report at no attempt of a week: somebody has to tell it by hand, or start the workflow anew. */
  issueReportGivenUp: 'IssueReportGivenUp',
  /** There is no such report. */
  issueReportGone: 'IssueReportGone',
  /** The feature request is gone or past its deadline: its request has answered already. */
  featureRequestGone: 'FeatureRequestGone',
  /** The feature board cannot be asked, or not again inside the time that is left. */
  featureBoardUnavailable: 'FeatureBoardUnavailable',
  /** There is no such replay. */
  replayGone: 'ReplayGone',
} as const;
