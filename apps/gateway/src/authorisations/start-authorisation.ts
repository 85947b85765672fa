import type { StartAuthorisation } from '@xs2a/contracts/authorisations.contract';
import { fail, type Failure } from '@xs2a/domain/failure/failures';
import { CallFailed } from '@xs2a/domain/failure/failed';
import type { FastifyReply } from 'fastify';
import { hash } from 'node:crypto';
import { requireBody } from '../checks/body/json-body.js';
import { readIdempotencyKey, type EdgeRequest, requireHeaders } from '../edge/edge-request.js';
import { link } from './link.js';

/**
 * The parameters of POST …/authorisations (contract 10). All of them are headers, so two requests are equal if
 * these headers are equal.
 */
export const startedBy = (request: EdgeRequest): StartAuthorisation => {
  const { psuId, psuCorporateId, redirectUris, notification } = requireHeaders(request);
  const said = [
    psuId ?? null,
    psuCorporateId ?? null,
    redirectUris.ok ?? null,
    redirectUris.nok ?? null,
    ...(notification === undefined ? [] : [notification.uri, ...notification.content]),
  ];
  return {
    idempotencyKey: { ...readIdempotencyKey(request), hash: hash('sha256', JSON.stringify(said), 'hex') },
    redirectUris,
    notification,
    psuId,
    psuCorporateId,
  };
};

/** The PSU authenticates only on the bank's pages, so the body must be absent or an empty object. Throws CallFailed. */
const validateBody = (request: EdgeRequest): void => {
  if ((request.body?.length ?? 0) === 0) return;
  const text = 'The PSU authenticates on the bank’s pages. Send no body, or an empty object.';
  const failures: Failure[] = Object.keys(requireBody(request)).map((name) =>
    fail('fieldUnknown', name, text),
  );
  if (failures.length > 0) throw new CallFailed(failures);
};

/** Rejects a non-empty body, but only after `exists` has found the resource in the path (contract 3). */
export const expectNoBody = async (request: EdgeRequest, exists: () => Promise<unknown>): Promise<void> => {
  try {
    validateBody(request);
  } catch (error) {
    await exists();
    throw error;
  }
};

/**
 * The response to POST …/authorisations: the link for this PSU and the link to the status. `page` is the SCA page
 * of the resource.
 */
export const answerStarted = (
  reply: FastifyReply,
  authorisationId: string,
  { self, page }: { readonly self: string; readonly page: string },
): Readonly<Record<string, unknown>> => {
  const authorisation = `${self}/authorisations/${authorisationId}`;
  reply.header('location', authorisation).header('aspsp-sca-approach', 'REDIRECT');
  return {
    scaStatus: 'received',
    authorisationId,
    _links: { scaRedirect: link(`${page}/${authorisationId}`), scaStatus: link(authorisation) },
  };
};

/**
 * The authorisation links of a new resource: a link to the SCA pages if there is one signer, or startAuthorisation
 * if there are several.
 */
export const authorisationLinks = (
  authorisationId: string | undefined,
  { self, page }: { readonly self: string; readonly page: string },
): Readonly<Record<string, unknown>> =>
  authorisationId === undefined
    ? { startAuthorisation: link(`${self}/authorisations`), self: link(self), status: link(`${self}/status`) }
    : {
        scaRedirect: link(`${page}/${authorisationId}`),
        self: link(self),
        status: link(`${self}/status`),
        scaStatus: link(`${self}/authorisations/${authorisationId}`),
      };
