import { type EndpointId, type EndpointRule, isSandboxEndpoint } from '../../endpoint-rules.js';

/** A header of the standard that has no effect at this bank. It is documented because clients may send it. */
type StandardHeader = readonly [name: string, type: 'string' | 'boolean', description: string];

/** The last sentence in the description of every header without effect. */
export const withoutEffect = 'Accepted, but without effect here.';
const without = (meaning: string): string => `${meaning}. ${withoutEffect}`;

const signature: readonly StandardHeader[] = [
  ['Digest', 'string', without('Hash of the body, for a signed request')],
  ['Signature', 'string', without('Signature of the request')],
  ['TPP-Signature-Certificate', 'string', without('Certificate of the signature, as base64')],
];

const psuContext: readonly StandardHeader[] = [
  ['PSU-IP-Port', 'string', without('Port that the PSU’s device calls from')],
  ['PSU-Accept', 'string', without('Accept of the PSU’s browser')],
  ['PSU-Accept-Charset', 'string', without('Accept-Charset of the PSU’s browser')],
  ['PSU-Accept-Encoding', 'string', without('Accept-Encoding of the PSU’s browser')],
  ['PSU-Accept-Language', 'string', without('Accept-Language of the PSU’s browser')],
  ['PSU-User-Agent', 'string', without('User-Agent of the PSU’s browser')],
  ['PSU-Http-Method', 'string', without('HTTP method that the PSU’s browser used to call you')],
  ['PSU-Device-ID', 'string', without('UUID of the PSU’s device or installation')],
  ['PSU-Geo-Location', 'string', without('Where the PSU’s device is, such as GEO:42.697700;23.321900')],
];

const psuIdTypes: readonly StandardHeader[] = [
  ['PSU-ID-Type', 'string', without('Type of PSU-ID; this bank has only one type')],
  ['PSU-Corporate-ID-Type', 'string', without('Type of PSU-Corporate-ID; this bank has only one type')],
];

const approach: readonly StandardHeader[] = [
  [
    'TPP-Redirect-Preferred',
    'boolean',
    without('Whether you prefer the redirect approach, the only one that this bank supports'),
  ],
  [
    'TPP-Decoupled-Preferred',
    'boolean',
    without('Whether you prefer the decoupled approach; this bank always redirects'),
  ],
];
const explicit: StandardHeader = [
  'TPP-Explicit-Authorisation-Preferred',
  'boolean',
  without(
    'Whether you want to start the authorisation with a separate call, which is required if there are several signers',
  ),
];
const noFunds: StandardHeader = [
  'TPP-Rejection-NoFunds-Preferred',
  'boolean',
  without(
    'Whether a payment without funds should be rejected at once; this bank keeps it, with fundsAvailable=false',
  ),
];
const brand: StandardHeader = [
  'TPP-Brand-Logging-Information',
  'string',
  without('Brand under which the PSU knows you; your registered name is shown'),
];
const redirects: readonly StandardHeader[] = [
  ['TPP-Redirect-URI', 'string', without('A cancellation needs no PSU')],
  ['TPP-Nok-Redirect-URI', 'string', without('A cancellation needs no PSU')],
];
const consentId: StandardHeader = ['Consent-ID', 'string', without('A consent of the same session')];

/** The headers that an endpoint has in addition to those of all standard endpoints. */
const own: Partial<Readonly<Record<EndpointId, readonly StandardHeader[]>>> = {
  initiatePayment: [consentId, explicit, noFunds, brand],
  createConsent: [explicit, brand],
  cancelPayment: [...approach, ...redirects, explicit],
  confirmFunds: [consentId],
};

/** The standard headers of an operation, except those that have an effect at this bank. */
export const listStandardHeaders = (id: EndpointId, rule: EndpointRule): readonly StandardHeader[] =>
  isSandboxEndpoint(rule)
    ? []
    : [
        ...(rule.redirects === true ? [...psuIdTypes, ...approach] : []),
        ...(own[id] ?? []),
        ...(id === 'confirmFunds' ? [] : psuContext),
        ...signature,
      ];
