import { defaultPayloadConverter } from '@temporalio/common';
import type { PayloadConverter } from '@temporalio/common';

/**
 * Temporal's converter, except that an unreadable payload becomes an object without meaning. People type the arguments of
 * signals into Temporal's UI, with an encoding that they choose there. An unreadable one would fail every later task of its
 * workflow before any handler could ignore it.
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
