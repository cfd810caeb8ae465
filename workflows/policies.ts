import type { ActivityOptions } from '@temporalio/workflow';

/**
 * The model writes a draft within the model's part of the request's time (45 s, `draftDeadlineMs`). A call takes at most 20
 * s and a draft two calls, so one attempt may take all of that time. With heartbeats every second, a killed worker is
 * detected within five. The activity itself stops when no time is left for another attempt.
 */
export const modelCalls: ActivityOptions = {
  startToCloseTimeout: '45 seconds',
  scheduleToCloseTimeout: '50 seconds',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 seconds' },
};

/** One transaction. It fails fast and is retried until the request has given up. */
export const transactions: ActivityOptions = {
  startToCloseTimeout: '5 seconds',
  scheduleToCloseTimeout: '55 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '2 seconds' },
};

/**
 * A chunk of mails: at most 100, 20 at a time, 15 s each including the wait for its turn, then five minutes to record the
 * outcomes. With heartbeats every second, a killed worker is detected within five, and its chunk is sent again. The
 * workflow handles failures of the provider, so only our own errors are retried here, for as long as they last.
 */
export const mailChunks: ActivityOptions = {
  startToCloseTimeout: '8 minutes',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/** One transaction that no caller waits for. It is retried for as long as the database is unavailable. */
export const patientTransactions: ActivityOptions = {
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * A page of a replay: up to 1,000 deliveries, which takes a fraction of a second, or a scan of 20,000. With heartbeats
 * every second, a killed worker is detected within five; the next attempt resumes where the last page was committed.
 */
export const replayPages: ActivityOptions = {
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * One mail that a person waits for. A call takes at most 15 s including the wait for its turn. After ten minutes the person
 * has stopped waiting.
 */
export const urgentMails: ActivityOptions = {
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
};

/**
 * A run over an endpoint's due deliveries. It claims for a bounded time and then finishes what is in flight; each call
 * takes at most 60 s. A killed worker is detected by its heartbeats within ten seconds and not earlier: with hundreds of
 * runs on a loaded machine heartbeats come late, and a run presumed lost sends twice. The next attempt reclaims the leases
 * of the lost one. Receivers' errors are returned, not thrown, so only our own errors are retried, for as long as they
 * last.
 */
export const retryRuns: ActivityOptions = {
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * A post on the feature board that a request waits for: three quick attempts within its 20 seconds. One attempt may take
 * all of them, because a slow creation is awaited, not repeated. With heartbeats every second, a killed worker is detected
 * within four. The activity itself stops when no time is left.
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

/** At most 20 mails to people of a merchant, 15 s each. The provider is retried for a day. */
export const ownerMails: ActivityOptions = {
  startToCloseTimeout: '10 minutes',
  scheduleToCloseTimeout: '24 hours',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 minutes' },
};

/**
 * An attempt to send a technical issue to support: a lookup and a call of 10 s each, and two transactions. With heartbeats
 * every second, a killed worker is detected within five; the next attempt then looks the issue up. The workflow handles
 * failures of support, so only our own errors are retried here, for as long as they last.
 */
export const supportCalls: ActivityOptions = {
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '5 seconds',
  summary: 'Hands the report to support',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};
