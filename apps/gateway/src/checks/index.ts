import { tokenRule } from '../endpoint-rules.js';
import { checkAccept } from './accept.js';
import { checkAccessToken } from './access-token.js';
import { checkBodySize } from './body-size.js';
import { checkCertificate } from './certificate.js';
import type { CallerCheck, Check, CheckedCall } from './check.js';
import { checkContentType } from './content-type.js';
import { deadConsentFirst } from './dead-consent.js';
import { checkHeaders } from './headers.js';
import { checkOffer } from './offer.js';
import { checkPath } from './path.js';
import { checkPlannedFault } from './planned-fault.js';
import { checkProduct } from './product.js';
import { checkRevocation } from './revocation.js';
import { checkRole } from './role.js';
import { checkScope } from './scope.js';
import { checkRegistrations, checkShareOfAddress, checkShareOfTpp } from './share.js';
import { tokenOwner } from './token-owner.js';
import { checkTpp } from './tpp.js';

/** Turns a check of the caller into a check that is skipped at the endpoint that requires no token. */
const ofCaller =
  (check: CallerCheck): Check =>
  (call) => {
    const { caller } = call.request;
    const rule = tokenRule(call.edge.rule);
    return caller === undefined || rule === undefined ? undefined : check(caller, rule, call);
  };

/** The checks that run before the body is read, in the order in which their failures take precedence (contract 3). */
const beforeBody: readonly Check[] = [
  checkPath,
  checkProduct,
  checkShareOfAddress,
  checkRegistrations,
  checkAccessToken,
  checkShareOfTpp,
  ofCaller(checkRevocation),
  ofCaller(checkTpp),
  ofCaller(checkRole),
  ofCaller(checkScope),
  ofCaller(checkCertificate),
  checkOffer,
  checkAccept,
  checkContentType,
  checkBodySize,
  checkPlannedFault,
];

/** The checks that run after the body has been received and before a service is called. */
const afterBody: readonly Check[] = [checkHeaders];

const run = async (checks: readonly Check[], call: CheckedCall): Promise<void> => {
  try {
    for (const check of checks) await check(call);
  } catch (error) {
    call.edge.token ??= await tokenOwner(call.request, call.sources);
    throw await deadConsentFirst(error, call);
  }
};

/** Runs the checks in order until one fails. Rejects with CallFailed. */
export const checkBeforeBody = async (call: CheckedCall): Promise<void> => run(beforeBody, call);
export const checkAfterBody = async (call: CheckedCall): Promise<void> => run(afterBody, call);
