/* Every limit and time of the sender, with its reason. `npm run bench:webhooks` shows the effect of a change. */

/** How many calls may be in flight (call-plan.ts). */
export const concurrency = {
  window: 100, // calls that have just begun; with `maxUnrecorded`, it limits what is sent twice after a crash
  slowAfterMs: 1_000, // a call that takes this long leaves the window, so that silent endpoints do not fill it
  silentSlowAfterMs: 250, // the same for an endpoint that did not respond last time; others wait for its place
  newSlow: 1_000, // slow calls, which limits sockets and memory; a body counts once per `slowBytes`
  allSlow: 2_000, // the same with calls that leave the window, which they do even if no new slow call may begin
  slowBytes: 64 * 1024, // a body can have 256 KiB and be in memory for a minute
  fastEndpoint: 50, // calls to one endpoint if they take less than `fastMs` on average
  fastMs: 250,
  endpoint: 20, // calls to one endpoint if they take longer: a receiver that takes 3 s gets 6 per second
  failuresInRow: 3, // then an endpoint starts again with one call, as it does after a timeout
  newestWeight: 0.2, // of the newest call in the mean duration, which follows a change within about ten calls
  minTurn: 4, // deliveries of an endpoint per lease, because leasing four costs little more than leasing one
  forgetAfterMs: 60_000, // without a call, what is known about an endpoint is out of date
};

/** When the sender looks for deliveries (due-endpoints.ts, sender.ts). */
export const polling = {
  pollMs: 3, // the pause of a busy sender: half of the deliveries arrive within 4.5 ms at 500 per second
  idleAfterMs: 50, // without a delivery, the sender stops polling and listens for notifications
  backstopMs: 1_000, // an idle sender still looks this often, in case a notification was lost
  waitingMs: 100, // and this often while due deliveries wait for a call to end
  errorMs: 250, // the pause after an error, because the database is probably unavailable
  pageEndpoints: 256, // endpoints per statement of a scan
  scanMs: 15, // the pause between two scans for endpoints with due deliveries
  scanFullMs: 150, // the same while all capacity is used
  scanShare: 20, // scans take at most a twentieth of the time, as long as the pause is below `maxScanPauseMs`
  maxScanPauseMs: 200,
  otherMonthsMs: 1_000, // the pause between two scans of other months, in which only late retries and replays wait
  hotMs: 200, // after a delivery, the sender asks for more of the same endpoint without a scan
  commitSlackS: 1, // a delivery is due from the start of its transaction, but visible later, after the commit
  wholeLeaseMs: 1_000, // then a lease ignores the due watermark, to find what was committed even later
  wholeLeaseShare: 10, // such leases read every dead index entry, so they take at most a tenth of the time
  reclaimMs: 2_000, // how often the sender looks for leases of dead senders
};

/** How outcomes are recorded (recorder.ts). */
export const recording = {
  maxUnrecorded: 200, // deliveries in the window or not yet recorded: after a crash, each may be sent again
  batch: 100, // outcomes per statement; larger batches save little
  batchBytes: 4 * 2 ** 20, // of bodies per statement, because all of it is in memory while it is sent
  lingerMs: 10, // the time in which a batch fills
  retryMs: 250,
  tries: 4, // after an error that may not pass; lost connections, full disks and deadlocks have no limit
};

/** How a sender starts and ends (shard.ts, sender.ts). */
export const lifetime = {
  lockMs: 200, // the pause between two attempts to lock a shard
  finishPollMs: 100, // how often a sender that ends checks whether requests are still in flight
  finishMs: 5_000, // for the last outcomes; the next sender reclaims deliveries without one
};

export const maxCachedEndpoints = 5_000; // each takes a few kilobytes (endpoint-cache.ts)
