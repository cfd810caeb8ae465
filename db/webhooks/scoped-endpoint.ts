/** An endpoint and whose it is. */
export type ScopedEndpoint = { endpoint_id: string; merchant_id: string; environment: string };
