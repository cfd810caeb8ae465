/** The columns of a recorded attempt that made no connection and sent nothing. */
export const noExchange = {
  error: null,
  request_headers: null,
  request_body: null,
  response_headers: null,
  response_body: null,
  is_truncated: false,
  peer_address: null,
  dns_ms: null,
  connect_ms: null,
  tls_ms: null,
  first_byte_ms: null,
  total_ms: null,
};
