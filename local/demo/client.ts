import type { StackDescription } from '../stack-file';

export type Client = ReturnType<typeof createClient>;

/**
 * Returns a client that calls the operations of the running stack as the merchant's owner, and that controls the
 * stack's fakes. Its functions throw when a request fails.
 */
export function createClient({ base_url, tokens }: StackDescription) {
  const ask = async (url: string, init: RequestInit): Promise<unknown> => {
    const response = await fetch(url, init);
    const body: unknown = await response.json();
    if (response.status !== 200)
      throw new Error(`${url} answered ${response.status}: ${JSON.stringify(body)}`);
    return body;
  };
  const headers = { authorization: `Bearer ${tokens.merchant_owner}`, 'content-type': 'application/json' };
  return {
    get: async <Reply>(operation: string, query: Record<string, string>): Promise<Reply> =>
      (await ask(`${base_url}/${operation}?${new URLSearchParams(query).toString()}`, { headers })) as Reply,
    post: async <Reply>(operation: string, body: unknown): Promise<Reply> =>
      (await ask(`${base_url}/${operation}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })) as Reply,
    /** Sets a value in the fakes. */
    put: (url: string, body: unknown) => ask(url, { method: 'PUT', body: JSON.stringify(body) }),
    /** Posts a request, such as a fault, to the fakes. */
    tell: async (url: string, body: unknown): Promise<void> => {
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
    },
    /** Lists the requests that the fakes recorded. */
    list: async <Row>(url: string): Promise<Row[]> =>
      (await ask(url, { headers: { accept: 'application/json' } })) as Row[],
  };
}
