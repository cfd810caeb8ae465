// The package has no public way to call the handler of a grant type that an application replaces.
declare module 'oidc-provider/lib/helpers/weak_cache.js' {
  import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
  type GrantHandler = (context: KoaContextWithOIDC) => Promise<void>;
  export default function instance(provider: Provider): { grantTypeHandlers: Map<string, GrantHandler> };
}
