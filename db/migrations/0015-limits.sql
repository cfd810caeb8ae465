-- The API process limits connections per merchant. A service key counts for its merchant, so the API reads that.
grant select (merchant_id) on service_key to app_auth;
