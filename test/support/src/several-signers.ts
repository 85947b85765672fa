import { parseJson } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { domesticPath, domesticPayment } from './requests.js';
import { bodyOf, type FreshPsu } from './sandbox-tpp.js';

/** The authorisation that was started for one of several signers. */
export interface Started {
  readonly authorisationId: string;
  readonly scaRedirect: string;
  readonly scaStatusPath: string;
}

/** A payment or consent that requires multiple signatures. */
export interface ForSeveral {
  readonly id: string;
  readonly path: string;
  readonly startPath: string;
}

type Links = Readonly<Record<string, { readonly href: string }>>;

/** POSTs a payment that requires multiple signatures, or an order or bulk with its body at its own path. */
export const initiateForSeveral = async (
  tpp: TppClient,
  token: string,
  iban: string,
  headers: Readonly<Record<string, string>> = {},
  { at = domesticPath, json = domesticPayment(iban) } = {},
): Promise<ForSeveral> => {
  const answer = await tpp.call('POST', at, token, { json, headers });
  const { paymentId, _links } = bodyOf<{ paymentId: string; _links: Links }>(answer, 201);
  return {
    id: paymentId,
    path: `${at}/${paymentId}`,
    startPath: _links['startAuthorisation']?.href ?? '',
  };
};

/** Starts a signer's authorisation with a POST. */
export const startFor = async (
  tpp: TppClient,
  token: string,
  { startPath }: Pick<ForSeveral, 'startPath'>,
  { psuId }: Pick<FreshPsu, 'psuId'>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Started> => {
  const answer = await tpp.call('POST', startPath, token, { headers: { 'psu-id': psuId, ...headers } });
  const { authorisationId, _links } = bodyOf<{ authorisationId: string; _links: Links }>(answer, 201);
  return {
    authorisationId,
    scaRedirect: _links['scaRedirect']?.href ?? '',
    scaStatusPath: _links['scaStatus']?.href ?? '',
  };
};

export const readScaStatus = async (
  tpp: TppClient,
  token: string,
  { scaStatusPath }: Started,
): Promise<string> => parseJson<{ scaStatus: string }>(await tpp.call('GET', scaStatusPath, token)).scaStatus;
