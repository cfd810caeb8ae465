import { z } from 'zod';
import { invitationTypes } from '../../db/people/vocabulary';
import { rowCodes, rowErrorCodes } from '../platform/operation/error-codes';
import { namedEnum } from '../platform/operation/named-enums';
import { uuid, fieldWithDefault } from '../platform/operation/vocabulary';
import { trimmedText } from '../platform/text/bounded-text';
import { isVisible, withoutInvisible } from '../platform/text/visible-text';

/*
 * The schemas of the rows of `users`. Each row is validated on its own: the operations accept any JSON in the list
 * and then parse each row with these schemas, which the OpenAPI document shows.
 */

const label = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u;
const localPart = /^[\p{L}\p{N}\p{M}.!#$%&'*+/=?^_`{|}~-]{1,64}$/u;

/** Accepts addresses in any script and with plus tags, but no characters that could inject a mail header. */
function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  const labels = text.slice(at + 1).split('.');
  return (
    at > 0 &&
    localPart.test(local) &&
    !local.split('.').includes('') &&
    labels.length > 1 &&
    labels.every((each) => label.test(each)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}

/** An email address of at most 254 characters. Internationalized addresses are allowed. */
export const emailAddress = trimmedText(254)
  .refine(isEmailAddress, {
    error: 'must be an email address, such as ann@example.com',
    params: { code: 'invalid_format' },
  })
  .meta({
    format: 'idn-email',
    description: 'Email address, at most 254 characters; it can be internationalized.',
  });

/**
 * A name that may be omitted. Invisible characters are removed, and a name without visible ones counts as omitted, like
 * a blank one.
 */
const optionalName = (description: string) =>
  trimmedText(200)
    .nullish()
    .transform((value) => (value && isVisible(value) ? withoutInvisible(value) : null))
    .meta({ description });

/** A text that may be omitted. A blank text counts as omitted. */
const optionalText = (max: number, description: string) =>
  trimmedText(max)
    .nullish()
    .transform((value) => value || null)
    .meta({ description });

const external_id = optionalText(
  200,
  'A reference of your own. The interview identifies candidates by it, or else by email. Results and webhooks return it.',
);
const phone = optionalText(
  50,
  'Phone number as sent, which recruiters see. Where `candidate_notification_channel` is set, messages go to it, and it must be a mobile number with its country code, such as `+49 170 1234567`.',
);

export const candidateRow = z.object({
  email: emailAddress,
  name: optionalName('Name of the candidate. Invisible characters are removed.'),
  external_id,
  phone,
});
export type CandidateRow = z.output<typeof candidateRow>;

export const invitationType = namedEnum('InvitationType', invitationTypes, 'What a person is invited as.', {
  merchant_owner: 'An owner of the dashboard.',
  merchant: 'A recruiter in the dashboard.',
  merchant_selection: 'A hiring manager, who reads the dashboard.',
  user: 'A learner of the coaching portal.',
  mentor: 'A mentor of the coaching portal.',
  candidate: 'A candidate of an interview or position.',
});

export const invitationRow = z
  .object({
    email: emailAddress,
    name: optionalName('Name of the person. Invisible characters are removed.'),
    type: invitationType
      .nullish()
      .meta({
        default: 'user',
        description:
          'What the person becomes: `merchant_owner`, `merchant` or `merchant_selection` (dashboard), `user` or `mentor` (coaching portal), or `candidate` of `interview_id`.',
      })
      .transform((value) => value ?? 'user'),
    interview_id: uuid
      .nullish()
      .transform((value) => value?.toLowerCase() ?? null)
      .meta({
        description: 'The interview or position that a candidate is invited to. Required for candidates.',
      }),
    external_id: external_id.meta({
      description:
        'A reference of your own for a candidate, as in `job-interview-register-users`. Other people have none.',
    }),
    phone: phone.meta({
      description:
        'Phone number of a candidate, as in `job-interview-register-users`. Other people have none.',
    }),
  })
  .refine((row) => row.type !== 'candidate' || row.interview_id !== null, {
    path: ['interview_id'],
    error: 'is required to invite a candidate',
    params: { code: 'required' },
  });
export type InvitationRow = z.output<typeof invitationRow>;

/** The outcome of a row, as a code for programs. */
export const rowCode = z.string().meta({
  description:
    'A stable code. A row that failed has one of the codes below, or a code of an error (`required`, `invalid_format`). Codes can be added.',
  examples: [...Object.keys(rowCodes), ...Object.keys(rowErrorCodes)],
});

function published(row: z.ZodType, description: string) {
  const {
    $schema: _dialect,
    $defs: _enums,
    ...schema
  } = z.toJSONSchema(row, { io: 'input', unrepresentable: 'any' });
  // The enums are components of the document.
  const text = JSON.stringify({ ...schema, description }).replaceAll('#/$defs/', '#/components/schemas/');
  return JSON.parse(text) as { type: 'object'; description: string };
}

/** The schemas of the rows, as components of the published OpenAPI document. */
export const userRowSchemas = {
  CandidateRow: published(candidateRow, 'A candidate to register.'),
  InvitationRow: published(invitationRow, 'A person to invite.'),
};

/**
 * The schema of a call's `users`: 1 to 1,000 rows of any JSON. The OpenAPI document shows the schema `row` for them
 * instead.
 */
export const userRowsSchema = (row: keyof typeof userRowSchemas) =>
  z
    .array(z.unknown().meta({ override: { $ref: `#/components/schemas/${row}` } }))
    .min(1)
    .max(1000)
    .meta({ description: 'The people, 1 to 1,000. Each row is validated on its own.' });

/** A dry run of a call with rows: it does all of the work and stores nothing. */
export const dryRunField = fieldWithDefault(z.boolean(), false).meta({
  description:
    'True returns the outcome that each row would have now, and stores and sends nothing. The reply has no ids and links of people.',
});
