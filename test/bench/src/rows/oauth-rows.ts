import { createHash, randomBytes } from 'node:crypto';
import { type AuthorizationRequest, type Tokens } from '@xs2a/sandbox/tpp/tpp-client';
import { PsuBrowser } from '@xs2a/sandbox/tpp/psu-browser';
import { walkAndApprove } from '@xs2a/sandbox/tpp/psu-walk';
import type { BenchWorld } from '../world/bench-world.js';
import { withCalls } from '../world/direct-calls.js';
import { newConsent } from '../world/granted-consents.js';
import { wireForm } from '../load/load-plan.js';
import type { Prepared, Row } from '../row.js';
import { withClient } from '../world/with-client.js';

/** A kind of handle that is redeemed once, as oidc-provider names it. */
type Model = 'AuthorizationCode' | 'RefreshToken';

const hashHandle = (handle: string): Buffer => createHash('sha256').update(handle).digest();

/**
 * Copies of a grant that a PSU gave at the pages, each with a code or refresh token of its own, straight into the tables:
 * thousands of PSUs cannot be walked through the pages first. Answers the handles.
 */
const copyGrant = async (
  { sandbox }: BenchWorld,
  model: Model,
  handle: string,
  copies: number,
): Promise<readonly string[]> =>
  withClient(sandbox.databaseUrl('postgres'), async (client) => {
    const handles = Array.from({ length: copies }, () => randomBytes(32).toString('base64url'));
    const grants = handles.map(() => randomBytes(16).toString('base64url'));
    const values = [hashHandle(handle), model, handles.map(hashHandle), grants, grants.map(hashHandle)];
    // A code lives a minute: these are made to wait for their turn.
    await client.query(
      `INSERT INTO auth.artefact (model, id_hash, grant_id, payload, expires_at)
        SELECT $2, copy.id_hash, copy.grant_id,
          (payload::jsonb || jsonb_build_object('grantId', copy.grant_id, 'exp', (payload->>'exp')::bigint + 3600))::json,
          expires_at + interval '1 hour'
        FROM auth.artefact, unnest($3::bytea[], $4::text[], $5::bytea[]) AS copy (id_hash, grant_id, grant_hash)
        WHERE model = $2 AND artefact.id_hash = $1
        UNION ALL
        SELECT 'Grant', copy.grant_hash, copy.grant_id, given.payload, given.expires_at
        FROM auth.artefact AS redeemed JOIN auth.artefact AS given
          ON given.model = 'Grant' AND given.grant_id = redeemed.grant_id,
          unnest($3::bytea[], $4::text[], $5::bytea[]) AS copy (id_hash, grant_id, grant_hash)
        WHERE redeemed.model = $2 AND redeemed.id_hash = $1`,
      values,
    );
    await client.query(
      `INSERT INTO auth.grant_binding (grant_id, client_id, psu_id, scope, consent_id, expires_at)
        SELECT copy.grant_id, client_id, psu_id, scope, consent_id, binding.expires_at
        FROM auth.grant_binding AS binding JOIN auth.artefact USING (grant_id), unnest($3::text[]) AS copy (grant_id)
        WHERE model = $2 AND id_hash = $1`,
      [hashHandle(handle), model, grants],
    );
    await client.query('ANALYZE auth.artefact, auth.grant_binding');
    return handles;
  });

interface Approved {
  readonly request: AuthorizationRequest;
  readonly code: string;
}
/** A PSU's consent, authorised, and a code for it that nobody has redeemed. */
const approve = async (world: BenchWorld): Promise<Approved> => {
  const psu = await world.psu(1);
  const { consentId } = await withCalls(world.sandbox, async (calls) =>
    newConsent(calls, world.clientId, { psuId: psu.psuId, iban: psu.accounts[0]?.iban ?? '' }),
  );
  const request = world.tpp.authorizationRequest('PSP_AI', consentId);
  const browser = new PsuBrowser();
  await walkAndApprove(browser, request.url, psu);
  return { request, code: world.tpp.parseCode(browser.leftTo, request) };
};

const tokenRequest = ({ tpp }: BenchWorld, form: Readonly<Record<string, string>>): string => {
  const { clientId, clientSecret } = tpp.credentials;
  const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
  return wireForm('/oauth2/token', { Authorization: authorization }, form);
};

/** Max requests a second, far above what the token endpoint reached. */
const maxPerRun = 20_000;

const redeemCodes = async (world: BenchWorld, max: number): Promise<Prepared> => {
  const { request, code } = await approve(world);
  const codes = await copyGrant(world, 'AuthorizationCode', code, Math.min(max, maxPerRun));
  const form = {
    grant_type: 'authorization_code',
    redirect_uri: world.tpp.credentials.redirectUri,
    code_verifier: request.verifier,
  };
  return {
    requests: codes.map((one) => tokenRequest(world, { ...form, code: one })),
    once: true,
    expect: 200,
  };
};

const refresh = async (world: BenchWorld, max: number): Promise<Prepared> => {
  const { request, code } = await approve(world);
  const { refresh_token: token }: Tokens = await world.tpp.redeem(code, request);
  const tokens = await copyGrant(world, 'RefreshToken', token ?? '', Math.min(max, maxPerRun));
  const form = { grant_type: 'refresh_token' };
  return {
    requests: tokens.map((one) => tokenRequest(world, { ...form, refresh_token: one })),
    once: true,
    expect: 200,
  };
};

const applicationTokens = async (world: BenchWorld): Promise<Prepared> => ({
  requests: [tokenRequest(world, { grant_type: 'client_credentials', scope: 'PSP_AI' })],
  expect: 200,
});

export const oauthRows: readonly Row[] = [
  {
    name: 'application-token',
    title: 'POST token, client_credentials',
    targets: { sandbox: 'none' },
    prepare: applicationTokens,
  },
  {
    name: 'redeem-code',
    title: 'POST token, code of a consent',
    targets: { sandbox: 'none' },
    prepare: redeemCodes,
  },
  {
    name: 'refresh',
    title: 'POST token, refresh of a consent',
    targets: { sandbox: 'none' },
    prepare: refresh,
  },
];
