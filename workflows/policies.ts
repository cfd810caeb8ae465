import type { ActivityOptions } from '@temporalio/workflow';

/**
 * Options for drafting an interview with the model within 45 s (activities/interviews/interviews.ts). A draft takes
 * at most two calls of 20 s, so one attempt may use all the time. With heartbeats every second, a killed worker is
 * detected within five seconds. The activity itself stops when there is no time for another attempt.
 */
export const modelCalls: ActivityOptions = {
  startToCloseTimeout: '45 seconds',
  scheduleToCloseTimeout: '50 seconds',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 seconds' },
};

/**
 * Options for one transaction for which an API request waits. Each attempt is short, and attempts are repeated until
 * the request gives up.
 */
export const transactions: ActivityOptions = {
  startToCloseTimeout: '5 seconds',
  scheduleToCloseTimeout: '55 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '2 seconds' },
};

/**
 * Options for sending a chunk of at most 100 mails. 20 mails are sent at a time, and each takes at most 15 s
 * including the wait for the rate limit. Recording the outcomes takes at most five minutes. With heartbeats every
 * second, a killed worker is detected within five seconds, and its chunk is sent again. The workflow handles failures
 * of the provider, so only our own errors are retried here, for as long as they last.
 */
export const mailChunks: ActivityOptions = {
  startToCloseTimeout: '8 minutes',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Options for one transaction for which no caller waits. It is retried for as long as the database is unavailable.
 */
export const patientTransactions: ActivityOptions = {
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Options for one page of a replay. The activity requeues up to 1,000 deliveries, which takes a fraction of a second,
 * or searches through 20,000. With heartbeats every second, a killed worker is detected within five seconds. The next
 * attempt resumes after the last committed page.
 */
export const replayPages: ActivityOptions = {
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Options for one mail for which a person waits. A call takes at most 15 s including the wait for the rate limit.
 * After ten minutes, the mail is no longer useful.
 */
export const urgentMails: ActivityOptions = {
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
};

/**
 * Options for posting on the feature board while an API request waits. There are up to three attempts within the
 * request's 20 seconds. A single attempt may use all the time, because a post that is only slow must not be repeated.
 * With heartbeats every second, a killed worker is detected within four seconds. The activity itself stops when no
 * time is left.
 */
export const boardPosts: ActivityOptions = {
  startToCloseTimeout: '18 seconds',
  scheduleToCloseTimeout: '20 seconds',
  heartbeatTimeout: '4 seconds',
  retry: {
    initialInterval: '300 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '1 second',
    maximumAttempts: 3,
  },
};

/**
 * Options for mailing the owners of a merchant: at most 20 mails of 15 s each. Errors of the provider are retried for
 * a day.
 */
export const ownerMails: ActivityOptions = {
  startToCloseTimeout: '10 minutes',
  scheduleToCloseTimeout: '24 hours',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 minutes' },
};

/**
 * Options for an attempt to send a technical issue to support. It makes a lookup and a call of 10 s each, and two
 * transactions. With heartbeats every second, a killed worker is detected within five seconds. The next attempt then
 * searches for the conversation. The workflow handles failures of support, so only our own errors are retried
 * here, for as long as they last.
 */
export const supportCalls: ActivityOptions = {
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '5 seconds',
  summary: 'Hands the report to support',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Options for running a scheduled report, which takes at most 25 s, and writing its file, which takes at most 90 s.
 * With heartbeats every second, a killed worker is detected within five seconds. Errors in the report itself are not
 * retried. Our own errors are retried for a day.
 */
export const reportRuns: ActivityOptions = {
  startToCloseTimeout: '5 minutes',
  scheduleToCloseTimeout: '24 hours',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Options for the mails of a scheduled report. At most 50 mails are sent one after another, each within 15 s, and
 * recording an outcome takes up to five minutes. With heartbeats every second, a killed worker is detected within
 * five seconds. The workflow handles failures of the provider, so only our own errors are retried here, for as long
 * as they last.
 */
export const reportMails: ActivityOptions = {
  startToCloseTimeout: '20 minutes',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Options for deciding what an interview asks next, for which a candidate waits. The API waits 12 s, of which the
 * model gets at most 10 s. If the model is slow or fails, the activity itself chooses the next turn without it, so
 * only a lost worker is retried. With heartbeats every second, a lost worker is detected within three seconds.
 */
export const liveDecisions: ActivityOptions = {
  startToCloseTimeout: '12 seconds',
  scheduleToCloseTimeout: '13 seconds',
  heartbeatTimeout: '3 seconds',
  retry: { initialInterval: '100 milliseconds', backoffCoefficient: 2, maximumInterval: '1 second' },
};

/**
 * Options for transcribing an answer while a candidate waits. The limit is 7 s, so that the decision about the next
 * turn still fits into the 12 s that the API waits. A transcription that takes longer is repeated with
 * `patientTranscriptions`.
 */
export const liveTranscriptions: ActivityOptions = {
  startToCloseTimeout: '7 seconds',
  scheduleToCloseTimeout: '7 seconds',
  heartbeatTimeout: '3 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '1 second' },
};

/**
 * Options for transcribing an answer for which nobody waits. One attempt has up to 2 minutes, because the provider
 * takes that long for a long recording. Attempts are repeated until the answer is 24 hours old. With heartbeats every
 * second, a killed worker is detected within five seconds.
 */
export const patientTranscriptions: ActivityOptions = {
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '10 minutes' },
};

/**
 * Options for rendering up to three questions as speech, with a call of up to 20 s each. After five minutes, another
 * attempt is not worth it, because candidates can also read the questions. With heartbeats every second, a killed
 * worker is detected within five seconds.
 */
export const speechCalls: ActivityOptions = {
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '5 minutes',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
};

/**
 * Options for rendering the speech of a whole interview, for which nobody waits. It is retried for a day if the
 * provider is unavailable.
 */
export const patientSpeechCalls: ActivityOptions = {
  startToCloseTimeout: '30 minutes',
  scheduleToCloseTimeout: '24 hours',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '10 minutes' },
};

/**
 * Options for a call of the provider of videos and the transactions around it. A search for an earlier order can take
 * several calls of 20 s, and the download of a file two minutes. With heartbeats every second, a killed worker is
 * detected within five seconds, and the next attempt searches before it orders. The workflow handles failures of the
 * provider, so only our own errors are retried here, for as long as they last.
 */
export const videoCalls: ActivityOptions = {
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '5 seconds',
  summary: 'Orders a video or collects it',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Options for scoring one answer or the session. The model is asked for three samples in parallel, each with a call
 * of 60 s and at most one more call for a repair. With heartbeats every second, a killed worker is detected within
 * five seconds, and the next attempt asks only for the samples that are missing. The workflow handles failures of the
 * model, so only our own errors are retried here, for a day.
 */
export const scoringCalls: ActivityOptions = {
  startToCloseTimeout: '3 minutes',
  scheduleToCloseTimeout: '25 hours',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Options for waiting for the transcripts of an attempt. Within 24 hours of an answer, its transcript is stored or
 * given up. One attempt of this activity waits for up to 30 s with heartbeats, and the next one follows after a
 * pause.
 */
export const transcriptWaits: ActivityOptions = {
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '26 hours',
  heartbeatTimeout: '5 seconds',
  summary: 'Waits for transcripts of answers',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Options for a transaction that begins or completes the scoring of a result. If it fails for a day, for example
 * because of an error in our code, the result is marked as failed, so that a person can score it again.
 */
export const scoringWrites: ActivityOptions = {
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '24 hours',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Options for rendering and uploading the automatic PDF of a result. Rendering takes at most three tries of 30 s each. With heartbeats
 * every second, a killed worker is detected within five seconds. A document that cannot be written is not retried.
 * Our own errors are retried for a day.
 */
export const automaticPdfs: ActivityOptions = {
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '24 hours',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/** Options for rendering a PDF for which a caller waits up to 25 s. */
export const requestedPdfs: ActivityOptions = {
  startToCloseTimeout: '25 seconds',
  scheduleToCloseTimeout: '30 seconds',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '2 seconds' },
};
