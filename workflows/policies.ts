import type { ActivityOptions } from '@temporalio/workflow';

/**
 * The model writes a draft: inside the model's part of the request's time (45 s, `draftDeadlineMs`). A call takes
 * at most 20 s and a draft two of them, so an attempt may take all of it. Heartbeats every second tell a killed
 * worker within five. The activity itself says when no time is left for another attempt.
 */
export const modelCalls: ActivityOptions = {
  startToCloseTimeout: '45 seconds',
  scheduleToCloseTimeout: '50 seconds',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 seconds' },
};

/** One transaction: fails fast and is tried again until the request has given up. */
export const transactions: ActivityOptions = {
  startToCloseTimeout: '5 seconds',
  scheduleToCloseTimeout: '55 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '2 seconds' },
};

/**
 * A chunk of mails: at most 100, 20 at a time, 15 s each with the wait for its turn, then five minutes in which the
 * record has to succeed. Heartbeats every second tell a killed worker within five; its chunk is then sent again. What
 * the provider does is the workflow's to wait for, so that here only our own faults are tried again, for as long as
 * they last.
 */
export const mailChunks: ActivityOptions = {
  startToCloseTimeout: '8 minutes',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/** One transaction that nobody waits for: tried again for as long as the database is away. */
export const patientTransactions: ActivityOptions = {
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * A page of a replay: up to 1,000 deliveries, which takes a fraction of a second, or a look at 20,000. Heartbeats every
 * second tell a killed worker within five; the next attempt goes on where the last page was committed.
 */
export const replayPages: ActivityOptions = {
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * One mail that somebody waits for: a call takes at most 15 s with the wait for its turn. After ten minutes nobody waits
 * any more.
 */
export const urgentMails: ActivityOptions = {
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
};

/**
 * A run over an endpoint's deliveries that are due: it claims for a bounded time and then ends what is under way, each
 * call of which takes at most 60 s. Heartbeats tell a killed worker within ten: there may be hundreds of runs, whose beats
 * come late where the machine is loaded, and what is taken for lost is sent twice. The next attempt takes back what that
 * one had in hand. Receivers' faults are told, not thrown: tried again are only our own, for as long as they last.
 */
export const retryRuns: ActivityOptions = {
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * A post on the feature board, which a request waits for: three quick attempts inside its 20 seconds. An attempt may take
 * all of them, because a slow creation is waited for and not repeated. Heartbeats every second tell a killed worker
 * within four. The activity itself says when no time is left.
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

/** At most 20 mails to people of a merchant, 15 s each: the provider is asked again for a day. */
export const ownerMails: ActivityOptions = {
  startToCloseTimeout: '10 minutes',
  scheduleToCloseTimeout: '24 hours',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 minutes' },
};

/**
 * An attempt to hand a report to support: a look-up and a call of 10 s each, and two transactions. Heartbeats every second
 * tell a killed worker within five; the next attempt then looks the report up. What support does is the workflow's to
 * wait for: tried again here are only our own faults, for as long as they last.
 */
export const supportCalls: ActivityOptions = {
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '5 seconds',
  summary: 'Hands the report to support',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};
