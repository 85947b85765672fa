import { callFailed } from '@xs2a/domain/failure/failed';
import type { IncomingHttpHeaders } from 'node:http';
import type { EndpointRule } from '../endpoint-rules.js';
import type { Check } from './check.js';
import { declaresJson } from './content-negotiation.js';

/**
 * The body must be uncompressed `application/json` in UTF-8:
 * - it is declared as another type, or not declared: 415 `FORMAT_ERROR`.
 * - the endpoint allows an empty body and none is sent: no declaration is needed.
 */
export const checkContentType: Check = ({ request: { headers }, edge: { rule } }) => {
  if (!expectsBody(rule, headers)) return;
  if (!declaresJson(headers['content-type'], headers['content-encoding']))
    throw callFailed('contentTypeNotJson', 'Content-Type');
};

const expectsBody = (rule: EndpointRule, headers: IncomingHttpHeaders): boolean =>
  rule.bodyLimit !== undefined && (rule.bodyOptional !== true || bringsBody(headers));

const bringsBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
