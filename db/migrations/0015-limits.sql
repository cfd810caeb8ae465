-- The API process limits connections per merchant, so it reads the merchant of a service key.
grant select (merchant_id) on service_key to app_auth;
