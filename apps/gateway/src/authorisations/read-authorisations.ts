import { callFailed } from '@xs2a/domain/failure/failed';
import type { ScaStatus } from '@xs2a/domain/sca/authorisations';
import { type EdgeRequest, parseId } from '../edge/edge-request.js';

/** The authorisations of a payment, consent or basket, in the order in which they were started. */
type Authorisations = readonly { readonly authorisationId: string; readonly scaStatus: ScaStatus }[];

/** The response to GET …/authorisations. */
export const authorisationListJson = (authorisations: Authorisations): Readonly<Record<string, unknown>> => ({
  authorisationIds: authorisations.map(({ authorisationId }) => authorisationId),
});

/** The response to GET …/authorisations/{authorisationId}. Throws resourceUnknown. */
export const scaStatusJson = (
  authorisations: Authorisations,
  { params }: EdgeRequest,
): Readonly<Record<string, unknown>> => {
  const wanted = parseId(params['authorisationId']);
  const found = authorisations.find(({ authorisationId }) => authorisationId === wanted);
  if (found === undefined) throw callFailed('resourceUnknown');
  return { scaStatus: found.scaStatus };
};
