/** Types of the failures that end a workflow. Temporal operators search workflows by them. */
export const failures = {
  /** The row of the interview is gone or past its deadline, so the API has already responded to the request. */
  interviewGone: 'InterviewGone',
  /** The model cannot be called, or no time is left to call it again. */
  modelUnavailable: 'ModelUnavailable',
  /** The model refused, or returned unusable output twice. */
  modelAnswerUnusable: 'ModelAnswerUnusable',
  /** The mail provider rejected this mail or its address. */
  mailRefused: 'MailRefused',
  /** The mail provider was unavailable for as long as the mail was relevant. */
  mailProviderUnavailable: 'MailProviderUnavailable',
  /** All attempts within a week failed. A person has to tell support, or start the workflow again. */
  technicalIssueGivenUp: 'IssueReportGivenUp',
  /** The technical issue does not exist. */
  technicalIssueGone: 'IssueReportGone',
  /** The row of the feature request is gone or past its deadline, so the API has already responded to its caller. */
  featureRequestGone: 'FeatureRequestGone',
  /** The feature board cannot be called, or no time is left to call it again. */
  featureBoardUnavailable: 'FeatureBoardUnavailable',
  /** The report of a schedule could not be made. The report's page in the console says why. */
  reportNotMade: 'ReportNotMade',
  /** The report was mailed to no one: the mail provider accepted no mail, or no recipient is in the team any more. */
  reportNotMailed: 'ReportNotMailed',
  /** The parts of a recording are uploaded, but not joined to one file yet. */
  recordingNotJoined: 'RecordingNotJoined',
  /** Answers still have no transcript, so the scoring waits. */
  transcriptsPending: 'TranscriptsPending',
  /**
   * The model was unavailable for as long as the scoring is retried, it rejected our request, or the answers are too
   * large. A person has to score the result again.
   */
  scoringGivenUp: 'ScoringGivenUp',
  /** The replay does not exist. */
  replayGone: 'ReplayGone',
  /** The PDF of a result takes too long, or the compiler rejects it. The log of the worker says why. */
  pdfNotMade: 'PdfNotMade',
} as const;
