/** The introduction of the API reference. `{origin}` and `{base_url}` are replaced with the deployment's addresses. */
export const introduction = `AI-conducted interviews, assessments and coaching sessions for merchants (employer accounts): create interviews, invite
candidates, read scored results, and receive them by webhook.

[The guide]({origin}/docs) explains how calls work: [getting started]({origin}/docs), [authentication]({origin}/docs/authentication),
[environments]({origin}/docs/environments), [requests and replies]({origin}/docs/requests), [errors and their codes]({origin}/docs/errors),
[idempotency]({origin}/docs/idempotency), [pagination]({origin}/docs/pagination), [rate limits]({origin}/docs/rate-limits),
[webhooks]({origin}/docs/webhooks) and [versioning]({origin}/docs/versioning). The requests that are sent to your webhook endpoints are described in a
[document of their own]({origin}/docs/reference/webhooks).

In short:

- Send \`Authorization: Bearer <service key or access token>\`. With a service key, every call names its merchant as \`merchant_id\`.
- Bodies are JSON of at most 1 MiB, and every success is a 200. Replies can gain fields.
- Errors have a stable \`code\`. Quote \`request_id\` when you contact support.
- Send an \`Idempotency-Key\` with a POST to make it safe to repeat.
- "The credential's environment" is the one that the service key or session was created for.

## Embedding

\`is_embedded: true\` provisions an embed key for an interview: a public \`embed_id\` and a secret \`embed_signing_key\`, which is shown
once. Candidates then take the interview inside another site, whose server signs who the candidate is with the secret
([Embedding]({origin}/docs/embedding)).
`;
