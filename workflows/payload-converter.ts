import { defaultPayloadConverter } from '@temporalio/common';
import type { PayloadConverter } from '@temporalio/common';

/**
 * Temporal's own, but for what cannot be read: that is an object which means nothing to anybody. People type the
 * arguments of signals into Temporal's page, in an encoding that they choose there; one that cannot be read would fail
 * every task of its workflow from then on, before any handler could ignore it.
 */
export const payloadConverter: PayloadConverter = {
  toPayload: (value, context, hint) => defaultPayloadConverter.toPayload(value, context, hint),
  fromPayload: <T>(...read: Parameters<typeof defaultPayloadConverter.fromPayload<T>>) => {
    try {
      return defaultPayloadConverter.fromPayload<T>(...read);
    } catch {
      return { is_unreadable: true } as T;
    }
  },
};
