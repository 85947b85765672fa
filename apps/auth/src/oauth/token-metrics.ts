import { counter } from '@xs2a/observability/metrics';
import type { Provider } from 'oidc-provider';

const tokens = counter('xs2a_tokens_total', 'Requests for tokens, by grant and outcome', [
  'grant',
  'outcome',
]);

const grants = new Set<unknown>(['authorization_code', 'client_credentials', 'refresh_token']);

/** Counts each answer of the token endpoint: `issued`, or the error code of RFC 6749. */
export const countTokens: Parameters<Provider['use']>[0] = async (ctx, next) => {
  await next();
  if (ctx.path !== '/oauth2/token' || ctx.method !== 'POST') return;
  // A request that was refused before it was read has no parameters: oidc-provider sets `oidc` on the way to the route.
  const { oidc } = ctx as Partial<typeof ctx>;
  const sent = oidc?.params?.['grant_type'];
  const error: unknown = Reflect.get(Object(ctx.body), 'error');
  // An unknown grant may contain anything.
  const grant = grants.has(sent) ? String(sent) : 'other';
  tokens.inc({ grant, outcome: ctx.status === 200 ? 'issued' : String(error ?? ctx.status) });
};
