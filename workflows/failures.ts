/** Types of the failures that end a workflow. Operators search by them. */
export const failures = {
  /** The row is gone or past its deadline, so its request has already replied. */
  interviewGone: 'InterviewGone',
  /** The model cannot be called, or not again within the remaining time. */
  modelUnavailable: 'ModelUnavailable',
  /** The model refused, or returned unusable output twice. */
  modelAnswerUnusable: 'ModelAnswerUnusable',
  /** The mail provider rejected this mail or its address. */
  mailRefused: 'MailRefused',
  /** The mail provider returned nothing useful for as long as the mail was relevant. */
  mailProviderUnavailable: 'MailProviderUnavailable',
  /** Every attempt of a week failed. A person has to tell support, or start the workflow again. */
  technicalIssueGivenUp: 'IssueReportGivenUp',
  /** The technical issue does not exist. */
  technicalIssueGone: 'IssueReportGone',
  /** The feature request is gone or past its deadline, so its API request has already replied. */
  featureRequestGone: 'FeatureRequestGone',
  /** The feature board cannot be called, or not again within the remaining time. */
  featureBoardUnavailable: 'FeatureBoardUnavailable',
  /** The replay does not exist. */
  replayGone: 'ReplayGone',
} as const;
