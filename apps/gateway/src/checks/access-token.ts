import { callFailed } from '@xs2a/domain/failure/failed';
import { tokenRule } from '../endpoint-rules.js';
import type { Check } from './check.js';
import { isRepeated } from './headers/repeated-headers.js';

/**
 * The access token identifies the caller (contract 4):
 * - `Authorization` or `DPoP` is repeated: 400 `FORMAT_ERROR`.
 * - the token or its proof of possession is invalid: 401 or 503, as Callers.identify decides.
 *
 * The check reads only headers: a token in the URL parameter `access_token` never identifies the caller.
 */
export const checkAccessToken: Check = async ({ request, edge, sources }) => {
  if (tokenRule(edge.rule) === undefined) return;
  for (const name of ['Authorization', 'DPoP'])
    if (isRepeated(request.raw.rawHeaders, name.toLowerCase()))
      throw callFailed('headerMalformed', name, 'Send the header once.');
  request.caller = await sources.callers.identify(request);
};
