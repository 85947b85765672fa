import type { ConsentRef } from '@xs2a/contracts/consents.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { type EdgeRequest, parseId, requireCaller } from '../edge/edge-request.js';
import type { ConsentView } from '@xs2a/contracts/consents.contract';
import { link } from '../authorisations/link.js';
import { authorisationLinks } from '../authorisations/start-authorisation.js';

type Json = Readonly<Record<string, unknown>>;

export const consentPath = (consentId: string): string => `/v1/consents/${consentId}`;

export const consentPage = (pagesUrl: string, consentId: string): string =>
  `${pagesUrl}/sca/consent/${consentId}`;

/** The response to POST (contract 5). */
export const createdConsentJson = (
  { consentId, authorisationId }: { readonly consentId: string; readonly authorisationId?: string },
  pagesUrl: string,
): Json => ({
  consentStatus: 'received',
  consentId,
  _links: authorisationLinks(authorisationId, {
    self: consentPath(consentId),
    page: consentPage(pagesUrl, consentId),
  }),
});

/**
 * The current state of a consent: the access that was requested or chosen, the effective end date and the
 * frequency.
 */
export const consentJson = (consent: ConsentView, consentId: string): Json => ({
  access: consent.access,
  recurringIndicator: consent.recurringIndicator,
  validUntil: consent.validUntil,
  frequencyPerDay: consent.frequencyPerDay,
  lastActionDate: consent.lastActionDate,
  consentStatus: consent.consentStatus,
  _links: {
    self: link(consentPath(consentId)),
    status: link(`${consentPath(consentId)}/status`),
    account: consent.consentStatus === 'valid' ? link('/v1/accounts') : undefined,
  },
});

const listPath = '/v1/consents';

/** A page of consents with links to the next and the first page. */
export const consentListJson = (
  consents: readonly (ConsentView & { readonly consentId: string })[],
  { pageSize, cursor, next }: { readonly pageSize: number; readonly cursor?: string; readonly next?: string },
): Json => ({
  consents: consents.map(({ consentId, ...consent }) => ({ consentId, ...consentJson(consent, consentId) })),
  _links: {
    first: cursor === undefined ? undefined : link(`${listPath}?pageSize=${pageSize}`),
    next: next === undefined ? undefined : link(`${listPath}?pageSize=${pageSize}&cursor=${next}`),
  },
});

/** The consent in the path. Throws consentUnknown if a user token names a different one (contract 4). */
export const parseConsentRef = (request: EdgeRequest): ConsentRef => {
  const { tpp, token } = requireCaller(request);
  const consentId = parseId(request.params['consentId']);
  if (token.grant === 'user' && token.consentId !== consentId) throw callFailed('consentUnknown');
  return { tppId: tpp.clientId, consentId };
};
