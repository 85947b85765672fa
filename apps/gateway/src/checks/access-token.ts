import { callFailed } from '@xs2a/domain/failure/failed';
import type { FastifyRequest } from 'fastify';
import { tokenRule } from '../endpoint-rules.js';
import type { Check } from './check.js';
import { isRepeated } from './headers/repeated-headers.js';
import type { Callers } from './token/callers.js';

/**
 * The access token identifies the caller (contract 4):
 * - `Authorization` or `DPoP` is repeated: 400 `FORMAT_ERROR`.
 * - the token or its proof of possession is invalid: 401 or 503, as Callers.identify decides.
 *
 * A token in the URL (`access_token`) is ignored. In a sandbox, its TPP finds the call in its log of calls.
 */
export const checkAccessToken: Check = async ({ request, edge, sources }) => {
  if (tokenRule(edge.rule) === undefined) return;
  for (const name of ['Authorization', 'DPoP'])
    if (isRepeated(request.raw.rawHeaders, name.toLowerCase()))
      throw callFailed('headerMalformed', name, 'Send the header once.');
  if (sources.sandbox) await attributeByUrl(request, sources.callers);
  request.caller = await sources.callers.identify(request);
};

const attributeByUrl = async (
  request: FastifyRequest,
  callers: Pick<Callers, 'attribute'>,
): Promise<void> => {
  const { access_token: sent } = request.query as Readonly<Record<string, unknown>>;
  await callers.attribute(
    request,
    [sent].flat().filter((token) => typeof token === 'string'),
  );
};
