/**
 * Variables of a deployment without the optional providers and without Temporal, with a small pool, low limits and
 * strict rules for webhook addresses.
 */
export const unusual = {
  worker: false,
  api: {
    ACCOUNT_INVITATIONS_PER_DAY: '12',
    DATABASE_POOL_SIZE: '4',
    FEATURE_BOARD_BASE_URL: undefined,
    PORTAL_MERCHANT_ID: undefined,
    PORTAL_RESERVED_DOMAINS: 'platform.example',
    SENDGRID_EVENT_KEY: undefined,
    SUPPORT_DESK_BASE_URL: undefined,
    // No server listens on this port, so Temporal is unavailable.
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    WEBHOOK_ALLOWED_PORTS: '8443',
    WEBHOOK_ALLOWED_RANGES: '',
    WEBHOOK_ALLOW_HTTP: 'false',
  },
};
