import { errorCodes, rowCodes, rowErrorCodes } from '../contracts/error-codes';

const table = (rows: string[][]): string => rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The front page of the reference. `{origin}` and `{base_url}` stand for the deployment's addresses. */
export const introduction = `AI-conducted interviews, assessments and coaching sessions for merchants (employer accounts): create interviews, invite
candidates, read scored results, and receive them by webhook. The requests sent to your webhook endpoints are described in a document of
their own: [{origin}/docs/webhooks]({origin}/docs/webhooks).

## Getting started

1. Sign in to the console at [{origin}/console]({origin}/console) as an owner of your merchant account and choose an environment. Start
   with \`development\`.
2. Under **Access**, create a service key for a server, or an API session for a person. Both are shown once.
3. Call \`merchant-status\` to check it: \`curl -H "Authorization: Bearer <key or token>" "{base_url}/merchant-status?merchant_id=<merchant id>"\`.
   With an access token, leave \`merchant_id\` out.
4. Find a template with \`interview-template-list\`, create an interview with \`job-interview-create\`, and get a candidate's link with
   \`job-interview-register-users\`.
5. Subscribe to results with \`webhook-endpoint-create\`, or read them with \`merchant-result-list\` and \`job-interview-details\`.

## Authentication

Send \`Authorization: Bearer <credential>\` with every call. A credential is one of:

- An **access token**: a JWT signed with ES256, good for one hour, that acts as one person with that person's role. Renew it with
  \`POST {origin}/auth/token\` and the form fields \`grant_type=refresh_token\` and \`refresh_token\`; the reply has a new access token and a
  new refresh token, good for 30 days. A refresh token works once: using it again revokes the session. The public keys are at
  \`{origin}/.well-known/jwks.json\`.
- A **service key**: \`sk_<environment>_…\`, for servers. It does not expire, reaches its merchant and that merchant's sub-merchants,
  and must name the merchant it acts for as \`merchant_id\` in every call, even when it reaches only one.

Both stop working as soon as they are revoked. Roles: \`merchant_owner\` (everything in the account), \`merchant\` (recruiter),
\`merchant_selection\` (hiring manager, read-only) and \`admin\` (platform staff). The roles \`user\`, \`mentor\` and \`candidate\` cannot call
this API. A user with access to another merchant (an operator) acts there with the role that was granted there. Every operation lists who may
call it. Credentials are secrets: keep them on your servers. Browsers on other origins cannot call this API (no CORS headers).

## Environments

Every credential belongs to one environment: \`production\`, \`uat\`, \`development\` or \`demo\`. Where a description speaks of "the
credential's environment", this is the one it means. Interviews, positions, candidates, results, invitations and webhooks exist in one environment,
and to a credential of another one they do not exist. The catalogue, the credits, technical issues and people's accounts are shared by all
environments of a merchant.

Outside production, invitations cost nothing, and each merchant can send 100 of them per day (UTC) and environment, whatever the \`type\` of the
people; e-mails go only to the merchant's test recipients, which owners list in the console under **Settings**. In every environment, a merchant can
send one person at most five account invitations in 24 hours.

## Requests and replies

Bodies are JSON of at most 1 MiB; every success is a 200. Ids are UUIDs unless stated otherwise, and one interview id is called
\`interview_def_set_id\` in the reply of create, \`position_id\` in get, update and set-state, and \`interview_id\` elsewhere; \`interview_id\` is
accepted in all of them. Timestamps are ISO
8601 in UTC with milliseconds, as \`2026-01-15T09:30:00.000Z\`. Unknown query parameters and body fields are ignored, and named
in the reply header \`x-ignored-fields\`, so that a misspelt name is noticed. On create, null is the
same as leaving a field out; on update, null clears a field that can be null. Replies can gain fields: ignore those you do not know.
Language codes (\`platform_language_code\`) follow ISO 639, with one exception: \`br\` is Brazilian Portuguese, not Breton.

## Errors

Every error is JSON: \`error\`, one sentence that says what to change; \`code\`, stable, for programs to act on; \`name\`, the field at fault, where there is one;
\`errors\`, all errors that were found in the request; and \`request_id\`. A 404 means that the id in the call does not exist or cannot be seen by the caller; a
wrong id in another field is a 422 that names the field. Bulk operations (\`job-interview-register-users\`, \`invite-users\`) validate each row on
its own: a wrong row has \`Error: …\` as its \`result\`, and the others are processed.

Every reply carries \`x-request-id\`; quote it when you contact support. To use an id of your own, send it in the same header.

| code | status | meaning |
|---|---|---|
${table(Object.entries(errorCodes).map(([code, { status, meaning }]) => [`\`${code}\``, String(status), meaning]))}

Rows of bulk operations have the codes of a 422, and these:

| code | meaning |
|---|---|
${table(Object.entries({ ...rowCodes, ...rowErrorCodes }).map(([code, meaning]) => [`\`${code}\``, meaning]))}

## Idempotency

Send an \`Idempotency-Key\` header (1 to 255 printable ASCII characters) with any POST to make it safe to repeat. For 24 hours the same key
with the same operation and body returns the first reply, with the header \`idempotency-replayed: true\`, and does nothing twice. With another body
the key is a 422, and while the first call is still running a 409. Only successful replies are kept: after an error the key is free again.

## Pagination

Lists take \`limit\` (1 to 1,000, default 50) and \`offset\` (default 0) and return \`data\` and \`pagination\` with \`total\`, \`limit\`,
\`offset\` and \`has_more\`. While \`has_more\` is true, ask again with \`offset\` raised by \`limit\`.

## Rate limits

Calls are counted for each session or service key. Replies carry \`RateLimit-Policy\`, \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
\`RateLimit-Reset\`; over the limit, a call is a 429 with \`Retry-After\`. \`merchant-technical-issue\` and \`merchant-feature-request\` also
have a daily limit of five per user, and its 429 says in \`Retry-After\` when the next one is possible.

## Embedding

\`is_embedded: true\` provisions an embed key for an interview: a public \`embed_id\` and a secret \`embed_signing_key\`, which is shown once.
They are meant for pages that show the interview inside another site, where the site's server signs who the candidate is with the
secret. This release has no embedded page yet: it issues, stores and revokes the keys, and nothing verifies a signature made with them. Until then
send candidates the links of \`job-interview-register-users\`.

## Versioning

The base address carries the version, \`v1\`. Within a version, fields, enum values of replies, operations and events can be added; nothing is removed or
changes its meaning. Fields marked deprecated keep working within the version.
`;
