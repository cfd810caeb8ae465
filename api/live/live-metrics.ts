import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { decisionsGauge, workflowCounter } from '../platform/http/metrics';
import type { ConnectionLostReason } from './hearing';
import type { LowerStepReason } from './protocol';

/** What happened in a conversation. `reason` is why the provider no longer listens. */
export type LiveEvent =
  | 'withdrawn'
  | 'reopened'
  | { lowered: LowerStepReason; reason?: ConnectionLostReason }
  | { replyMs: number };
export type LiveMetrics = ReturnType<typeof createLiveMetrics>;

/** Creates the metrics of the live process. */
export function createLiveMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const sessions = new Gauge({ name: 'live_sessions', help: 'Live conversations', registers });
  const events = new Counter({
    name: 'live_events_total',
    help: 'Answers taken back, sessions of the provider opened again, and conversations that went on at a lower step',
    labelNames: ['event', 'why'],
    registers,
  });
  const reply = new Histogram({
    name: 'live_reply_seconds',
    help: 'From the end of an answer until the next turn is said',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  });
  return {
    registry,
    setSessions: (count: number) => sessions.set(count),
    countEvent: (event: LiveEvent): void => {
      if (typeof event === 'string') events.inc({ event, why: '' });
      else if ('lowered' in event) events.inc({ event: 'lowered', why: event.lowered });
      else reply.observe(event.replyMs / 1_000);
    },
    countWorkflow: workflowCounter(registry),
    setDecisionsStopped: decisionsGauge(registry),
  };
}
