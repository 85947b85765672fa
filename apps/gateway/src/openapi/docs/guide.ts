import type { StandardName } from '@xs2a/domain/payment/standards/standard-name';
import type { DocumentSettings } from '../document.js';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import { debtorIban, paymentBodyIn } from '../examples.js';
import { block, code, table } from './html.js';

const tokenKinds = table(
  'Access tokens',
  ['Grant', 'Scope', 'For', 'Lifetime'],
  [
    ['client_credentials', code('PSP_PI'), 'payments', '1 hour'],
    ['client_credentials', code('PSP_AI'), 'consents', '1 hour'],
    [
      'authorization_code',
      `${code('PSP_AI')} with ${code('consentId')}`,
      'accounts; reading and deleting that consent',
      '5 minutes',
    ],
    ['authorization_code', code('PSP_IC'), 'funds confirmation', '5 minutes'],
  ],
);

const sandboxPeople = (standard: StandardName): string =>
  table(
    'PSUs of the sandbox',
    ['PSU-ID', 'Password', 'Accounts'],
    [
      ['ivan', 'sandbox', standard === 'lev' ? 'two in BGN, one in EUR' : 'in EUR, one of them held jointly'],
      ['maria', 'sandbox', 'current account with a credit limit, savings account'],
      ['georgi, elena', 'sandbox', 'sign for a company together'],
      ['blocked', 'sandbox', 'signs in, but no payment can be made from the account'],
    ],
  );

/** Values that are known only in a running sandbox. */
export interface GuideSettings {
  /** The redirect URIs registered for the TPP in the examples. */
  readonly redirectUris?: readonly string[];
}

export const exampleTpp = { clientId: 'sandbox-tpp', clientSecret: 'sandbox-tpp-secret' } as const;

const sandboxGuide = (
  { redirectUris = [] }: GuideSettings,
  standard: StandardName,
): string => `<h3>In this sandbox</h3>
<p>TPP ${code(exampleTpp.clientId)} with secret ${code(exampleTpp.clientSecret)}${redirectUris.length === 0 ? '' : `; redirect URIs ${redirectUris.map(code).join(' and ')}`}. The code on the bank’s pages is ${code('123456')}. New TPPs and PSUs: see Sandbox.</p>
${sandboxPeople(standard)}
<p>Move the clock forward yourself: ${code('POST /sandbox/clock')} with ${code('{"advance":"PT1M"}')} settles what was signed; another five minutes later it is booked.</p>`;

/** The guide from registration to a first payment, with commands that can be copied. */
export const tokenGuide = ({ baseUrl, sandbox, profile }: DocumentSettings, guide: GuideSettings): string => `
<p>Every call except those to the authorization server needs ${code('Authorization: Bearer …')}. The tokens:</p>
${tokenKinds}
<p>Get an application token, then initiate a payment:</p>
${block(`${sandbox ? `CLIENT_ID=${exampleTpp.clientId} CLIENT_SECRET=${exampleTpp.clientSecret}\n\n` : ''}curl -s ${baseUrl}/oauth2/token -u "$CLIENT_ID:$CLIENT_SECRET" \\
  -d grant_type=client_credentials -d scope=PSP_PI

TOKEN='the access_token from that response'

curl -s ${baseUrl}/v1/payments/${standardOf(profile).periodicProduct} \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(paymentBodyIn(standardOf(profile)), null, 2)}'`)}
<p>To make it safe to send the request again, add a key that you generate: ${code('-H "Idempotency-Key: $(uuidgen)"')}. Send the same key with each attempt.</p>
<p>Open ${code('_links.scaRedirect.href')} of the response in the PSU’s browser; the PSU signs in, reviews and signs. The account ${code(debtorIban)} must belong to this PSU.</p>
<p>For account information: ${code('POST /v1/consents')}, then ${code('/oauth2/authorize')} with ${code('response_type=code')}, ${code('scope=PSP_AI')}, ${code('consentId')}, ${code('redirect_uri')}, ${code('state')} and PKCE (${code('code_challenge_method=S256')}); exchange the code at ${code('/oauth2/token')}.</p>
${sandbox ? sandboxGuide(guide, profile.standard) : ''}`;
