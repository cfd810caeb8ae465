import { defaultPayloadConverter } from '@temporalio/common';
import type { PayloadConverter } from '@temporalio/common';

/**
 * Converts as Temporal's default converter does, except that an unreadable payload becomes an object that signal
 * handlers ignore. People type the arguments of signals in Temporal's UI and choose their encoding there. If the
 * converter threw for such an argument, every later task of the workflow would fail before a handler could ignore it.
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
