import type { EnrolmentScope } from '../../db/people/enrolments';
import { toPhoneNumber } from '../platform/text/phone-number';
import type { RowError } from './validate-row';

/**
 * Returns the error of a row whose phone number cannot get messages, if its interview or position sends any. Elsewhere the
 * number is only shown to recruiters, so any text is accepted.
 */
export const phoneError = (phone: string | null, scope: EnrolmentScope): RowError | undefined =>
  phone === null || scope.candidate_notification_channel === null || toPhoneNumber(phone) !== null
    ? undefined
    : {
        code: 'invalid_format',
        error: 'phone must be a mobile number with its country code, such as +49 170 1234567.',
      };
