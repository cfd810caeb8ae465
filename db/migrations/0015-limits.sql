-- The API process limits the connections of each merchant: a service key counts for its merchant.
grant select (merchant_id) on service_key to app_auth;
