/* Every limit and time of the sender, with its reason. `npm run bench:webhooks` shows the effect of a change. */

/** How many calls may be in flight (calls.ts). */
export const concurrency = {
  window: 100, // fast calls; with `maxUnrecorded`, it limits what is sent twice after a crash
  slowAfterMs: 1_000, // a call that takes this long leaves the window, so that silent endpoints do not fill it
  unprovenSlowAfterMs: 250, // the same if its last call failed or there was none, because others wait for the window
  newSlow: 1_000, // new slow calls begin below this (sockets, memory); a body counts once per `slowBytes`
  allSlow: 2_000, // calls still leave the window below this
  slowBytes: 64 * 1024, // a body can have 256 KiB and be in memory for a minute
  fastEndpoint: 50, // calls to one endpoint
  slowEndpoint: 20, // calls to one endpoint while it is slow: a receiver that takes 3 s gets 6 per second
  failuresInRow: 3, // then an endpoint starts again with one call, as it does after a timeout
  turn: 4, // deliveries of an endpoint per turn, because leasing four costs little more than leasing one
  forgetAfterMs: 120_000, // what is known about an endpoint without due deliveries; longer than any call (60 s)
};

/** When the sender looks for deliveries (due-endpoints.ts, sender.ts). */
export const polling = {
  pollMs: 3, // the pause of a busy sender: half of the deliveries arrive within 4.5 ms at 500 per second
  idleAfterMs: 50, // without a delivery, the sender stops polling and listens for notifications
  backstopMs: 200, // an idle sender still looks this often, for calls that became slow and lost notifications
  pageEndpoints: 1_000, // endpoints per scan; the next scan continues after them
  scanMs: 15, // the pause between two scans for endpoints with deliveries in the queue
  scanPauseFactor: 10, // scans take at most a tenth of the time, as long as the pause is below `backstopMs`
  hotMs: 200, // after a lease from a queue, the sender looks into it again without a scan
  commitSlackS: 1, // a delivery is due from the start of its transaction, but visible later, after the commit
  ignoreWatermarkMs: 1_000, // leases ignore the due watermark this often, to find what was committed even later
  reclaimMs: 2_000, // how often the sender looks for leases of dead senders
};

/** How outcomes are recorded (recorder.ts). */
export const recording = {
  maxUnrecorded: 200, // deliveries in the window or not yet recorded: after a crash, each may be sent again
  batch: 100, // a statement starts at this number; the next takes what came meanwhile, up to `maxBatch`
  maxBatch: 200, // outcomes in a statement
  batchBytes: 4 * 2 ** 20, // of bodies in a statement, because all of it is in memory while it is sent
  lingerMs: 10, // the time in which a batch fills
  tries: 4, // after an error that may not pass; lost connections, full disks and deadlocks have no limit
};

export const retryMs = 250; // the pause after an error of the database, which is probably unavailable
export const finishMs = 5_000; // for the last outcomes at shutdown; another sender reclaims what has none
export const maxEndpoints = 10_000; // in memory; each takes a few kilobytes (calls.ts, endpoint-cache.ts)
