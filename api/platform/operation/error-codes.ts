/**
 * Every code that an error reply can contain, with its status and its meaning. Codes are part of the API: a published
 * code is never renamed or given another meaning. docs/guide/errors.md lists all of them.
 */
export const errorCodes = {
  token_missing: {
    status: 401,
    meaning: 'The `Authorization` header is missing or is not `Bearer <token>`.',
  },
  token_malformed: {
    status: 401,
    meaning: 'The access token cannot be read, or this deployment did not sign it.',
  },
  token_expired: { status: 401, meaning: 'The access token has expired. Refresh it and repeat the call.' },
  token_revoked: { status: 401, meaning: 'The session of the access token has ended. Sign in again.' },
  key_malformed: { status: 401, meaning: 'The service key does not have the form of a service key.' },
  key_revoked: { status: 401, meaning: 'The service key is unknown or was revoked.' },
  refresh_token_invalid: { status: 401, meaning: 'The refresh token is unknown, already used or expired.' },
  signature_invalid: { status: 401, meaning: 'The signature of the request is not valid.' },
  unauthorized: { status: 401, meaning: 'The credential is not accepted.' },

  role_not_allowed: { status: 403, meaning: "The caller's role may not call this operation." },
  key_not_allowed: { status: 403, meaning: 'Service keys may not call this operation.' },
  merchant_not_allowed: { status: 403, meaning: 'The caller has no access to the merchant it named.' },
  admins_only: { status: 403, meaning: 'Only platform admins may do this.' },
  https_required: { status: 403, meaning: 'The call came over plain HTTP.' },
  forbidden: { status: 403, meaning: 'The caller may not do this.' },

  not_found: {
    status: 404,
    meaning: 'No object with this id, or nothing at this address, that the caller may see.',
  },
  method_not_allowed: { status: 405, meaning: 'The address accepts other methods. See the `Allow` header.' },

  id_taken: { status: 409, meaning: 'Something with this id exists already.' },
  idempotency_key_in_use: {
    status: 409,
    meaning:
      'The first call with this `Idempotency-Key` is still running. Repeat the call after `Retry-After`.',
  },
  concurrent_change: {
    status: 409,
    meaning: 'Another call changed the same data at the same time. Repeat the call.',
  },
  limit_reached: {
    status: 409,
    meaning: 'The maximum number of these objects exists. Delete or finish one first.',
  },
  state_conflict: { status: 409, meaning: 'The current state of the object does not permit this.' },

  link_closed: {
    status: 410,
    meaning: 'The interview of the link has ended or no longer takes answers.',
  },
  sync_cursor_expired: {
    status: 410,
    meaning: 'The cursor is too old, or belongs to something else. Begin again without a cursor.',
  },

  precondition_failed: {
    status: 412,
    meaning: 'The object has changed since the caller read it, or the operation takes no `If-Match`.',
  },
  body_too_large: { status: 413, meaning: 'The body is larger than this address accepts.' },
  range_not_satisfiable: { status: 416, meaning: 'The `Range` begins after the end of the file.' },

  required: { status: 422, meaning: 'The field is missing.' },
  invalid_type: { status: 422, meaning: 'The field has the wrong type, or is null.' },
  invalid_value: { status: 422, meaning: 'The field does not accept this value.' },
  invalid_format: {
    status: 422,
    meaning: 'The text does not have the expected form, such as a UUID, URL or date-time.',
  },
  too_long: { status: 422, meaning: 'The text has too many characters, or the list too many items.' },
  too_short: { status: 422, meaning: 'The text is blank or too short, or the list has too few items.' },
  too_large: { status: 422, meaning: 'The number is above the maximum.' },
  too_small: { status: 422, meaning: 'The number is below the minimum.' },
  unknown_id: { status: 422, meaning: 'The id does not name an object that the caller may use here.' },
  unknown_field: {
    status: 422,
    meaning: 'The body contains only unknown fields, so there is no field to change or filter by.',
  },
  nothing_to_change: { status: 422, meaning: 'An update has no field to change, or a replay has no filter.' },
  conflicting_fields: {
    status: 422,
    meaning: 'Two fields of the request contradict each other, or a field contradicts existing data.',
  },
  duplicate_value: { status: 422, meaning: 'The value occurs twice in a list of unique values.' },
  immutable_field: { status: 422, meaning: 'The field cannot be changed after creation.' },
  not_applicable: { status: 422, meaning: 'The field does not apply to this kind of object.' },
  not_permitted_state: {
    status: 422,
    meaning: 'The object that the field names is not in a state that permits this.',
  },
  forbidden_content: {
    status: 422,
    meaning: 'The text contains forbidden content, such as a secret or personal data.',
  },
  too_many_matches: {
    status: 422,
    meaning: 'The filter or list matches more than the operation can process. Narrow it.',
  },
  invalid_json: {
    status: 422,
    meaning: 'The body is not a JSON object, or is not valid JSON.',
  },
  invalid_encoding: { status: 422, meaning: 'The charset or content encoding of the body is not supported.' },
  idempotency_key_reused: {
    status: 422,
    meaning: 'The `Idempotency-Key` was used for another request. Choose a new one.',
  },
  invalid_request: { status: 422, meaning: 'The request cannot be processed. `error` says why.' },

  // Codes of report definitions (docs/reports.md#errors).
  unknown_key: {
    status: 422,
    meaning:
      'The key does not exist in a report definition. `suggestion` is the name that was probably meant.',
  },
  unknown_dataset: {
    status: 422,
    meaning: 'The dataset does not exist, or the account does not include it.',
  },
  unknown_dimension: {
    status: 422,
    meaning: 'The dataset has no such dimension, or no such field for `where`.',
  },
  unknown_measure: {
    status: 422,
    meaning: 'The dataset has no such measure.',
  },
  wrong_kind: {
    status: 422,
    meaning: 'The field is a measure where a dimension is needed, or the reverse.',
  },
  unknown_grain: {
    status: 422,
    meaning: 'The date has no such grain, or needs one.',
  },
  unknown_op: {
    status: 422,
    meaning: 'There is no such operator.',
  },
  op_not_allowed_for_type: {
    status: 422,
    meaning: 'The operator does not work with the type of this field.',
  },
  bad_value: {
    status: 422,
    meaning: 'The value is missing, has the wrong JSON type or the wrong form.',
  },
  unknown_value: {
    status: 422,
    meaning: 'The value is not one of those in `valid`.',
  },
  unknown_preset: {
    status: 422,
    meaning: 'There is no such preset of a period.',
  },
  bad_period: {
    status: 422,
    meaning: 'The dates of the period are missing, malformed, out of range or in the wrong order.',
  },
  bad_timezone: {
    status: 422,
    meaning: 'The time zone is no IANA name.',
  },
  compare_not_available: {
    status: 422,
    meaning: 'This period or dataset has nothing to compare with.',
  },
  sort_not_selected: {
    status: 422,
    meaning: 'The block sorts by a field that it does not show.',
  },
  table_only_field: {
    status: 422,
    meaning: 'Only blocks of the type `table` may use this field.',
  },
  block_shape: {
    status: 422,
    meaning: 'The type of the block does not permit this number or kind of dimensions or measures.',
  },
  too_many: {
    status: 422,
    meaning: 'There are more entries, or more bytes, than the limits permit.',
  },
  too_many_buckets: {
    status: 422,
    meaning: 'The period has more than 500 dates of this grain. Choose a coarser one.',
  },
  limit_out_of_range: {
    status: 422,
    meaning: 'The number of rows or the width is outside of its range.',
  },
  duplicate_id: {
    status: 422,
    meaning: 'The id or the field occurs twice.',
  },
  bad_schema: {
    status: 422,
    meaning: '`schema` is not `platform.report/v1`.',
  },

  rate_limited: {
    status: 429,
    meaning: 'Too many requests in a short time. Repeat the call after `Retry-After`.',
  },
  daily_limit_reached: {
    status: 429,
    meaning:
      'A limit per 24 hours is used up. `Retry-After` can be hours, so do not wait for it in a client. `RateLimit-*` headers describe the limit of requests per minute, not this limit.',
  },

  internal_error: { status: 500, meaning: 'An error on our side. Contact support with the `request_id`.' },

  generation_unavailable: { status: 503, meaning: 'Question generation is unavailable.' },
  support_unavailable: { status: 503, meaning: 'The support desk is unavailable.' },
  feature_board_unavailable: { status: 503, meaning: 'The feature request board is unavailable.' },
  not_configured: { status: 503, meaning: 'This deployment is not configured for this call.' },
  overloaded: { status: 503, meaning: 'Too many calls are waiting. Repeat the call after `Retry-After`.' },
  service_unavailable: {
    status: 503,
    meaning: 'The service is unavailable. Repeat the call after `Retry-After`.',
  },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type ErrorCode = keyof typeof errorCodes;
export type ErrorStatus = (typeof errorCodes)[ErrorCode]['status'];

/** The codes for the successful rows of a call with many rows. */
export const rowCodes = {
  ok: 'The candidate is registered.',
  invited: 'The invitation is stored and its mail is queued.',
  activated: 'The person is already active here, or has begun the interview. No mail is sent.',
  sub_merchant_added: 'The person has an account elsewhere and now has access to this dashboard.',
  coaching_access_added: 'The person has an account elsewhere and now has access to this coaching portal.',
  skipped: 'The person has an open invitation, or is in an earlier row of this call. No mail is sent.',
} as const;

/** The codes that only a failed row can have. A row can also fail with a code of `errorCodes`. */
export const rowErrorCodes = {
  budget_exhausted: 'No invitations are left in this period.',
  external_id_taken: 'The `external_id` belongs to another candidate.',
  interview_closed:
    'The interview is archived, completed, past its end or reached only through its position, or the position has no interview.',
  owner_required:
    'Only an owner or a platform admin may invite a `merchant_owner`, or a person whom an owner withdrew.',
  account_disabled: 'The account of this email is disabled.',
  not_invitable: 'This person cannot be invited.',
  role_conflict: 'The person was invited with another role, which an invitation does not change.',
  not_a_test_recipient: 'Outside production, mails go only to the test recipients of the merchant.',
  invitation_limit_reached:
    'The daily limit of invitation mails to this person, or of this merchant, is reached.',
} as const;

export type RowErrorCode = ErrorCode | keyof typeof rowErrorCodes;
export type RowCode = keyof typeof rowCodes | RowErrorCode;
