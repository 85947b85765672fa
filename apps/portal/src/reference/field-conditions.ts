import { ruleOfField } from '@xs2a/refusals/rules';
import { rewordedRule } from '../errors/rewordings.js';

/**
 * The fields and parameters that are required or refused depending on other fields, as keys of `fieldRules` (operation
 * and name).
 */
export const conditionalFields: ReadonlySet<string> = new Set([
  '* Consent-ID',
  '* PSU-IP-Address',
  'listTransactions dateFrom',
  'initiatePayment creditorAccount',
  'initiatePayment creditorAgent',
  'initiatePayment creditorAgentName',
  'initiatePayment creditorAgentAddress',
  'initiatePayment chargeBearer',
  'initiatePayment numberOfPayments',
  'initiatePayment dayOfExecution',
  'initiatePayment monthsOfExecution',
  'initiatePayment payments',
  'createConsent access',
  'createConsent recurringIndicator',
]);

/**
 * Returns the operation under which `fieldRules` lists a field: payments, periodic orders and bulk payments share the
 * rules of initiatePayment.
 */
const operationOf = (operationId: string): string =>
  /^initiate\w*Payment$/.test(operationId) ? 'initiatePayment' : operationId;

/**
 * Returns the rule that states when a field is required or refused, reworded by `rewordedRule`; undefined if the field
 * has no such rule.
 */
export const conditionOf = (operationId: string, path: string): string | undefined => {
  const operation = operationOf(operationId);
  // An entry of a bulk payment has the fields of a single payment, so the rules of the single payment apply.
  const name = path.replace(/^payments\[\]\./, '');
  return [operation, '*'].some((one) => conditionalFields.has(`${one} ${name}`))
    ? rewordedRule(ruleOfField(operation, name)?.text ?? '').replace(/^(?:`[\w-]+`(?:, )?)+: /, '')
    : undefined;
};
