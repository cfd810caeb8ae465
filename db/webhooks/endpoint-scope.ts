/** An endpoint with its merchant and environment. */
export type EndpointScope = { endpoint_id: string; merchant_id: string; environment: string };
