import type { RuleReference } from './rule-table.js';

const ofHeader = (name: string): RuleReference => ({
  rule: 'contract 2',
  section: 'Sent by the TPP',
  at: name,
});
const ofNotification = (name: string): RuleReference => ({ rule: 'contract 11', section: '', at: name });
const ofQuery = (at: string): RuleReference => ({ rule: 'contract 6', section: 'Query of transactions', at });
const ofPayment = (at: string): RuleReference => ({
  rule: 'contract 8',
  section: 'Fields beyond the table',
  at,
});
const ofOrder = (at: string): RuleReference => ({ rule: 'contract 9', section: 'Periodic orders', at });
const ofConsent = (at: string): RuleReference => ({ rule: 'contract 5', section: 'POST /consents', at });

/**
 * The rules of single fields, headers and parameters, by operation and path; `*`: every operation. A rule holds for the
 * members of its field too. Fields without one have only what the API description says.
 */
export const fieldRules: Readonly<Record<string, RuleReference>> = {
  '* Authorization': ofHeader('Authorization'),
  '* X-Request-ID': ofHeader('X-Request-ID'),
  '* Consent-ID': ofHeader('Consent-ID'),
  '* PSU-IP-Address': ofHeader('PSU-IP-Address'),
  '* PSU-ID': ofHeader('PSU-ID, PSU-Corporate-ID'),
  '* PSU-Corporate-ID': ofHeader('PSU-ID, PSU-Corporate-ID'),
  '* TPP-Redirect-URI': ofHeader('TPP-Redirect-URI'),
  '* TPP-Nok-Redirect-URI': ofHeader('TPP-Redirect-URI'),
  '* Idempotency-Key': ofHeader('Idempotency-Key'),
  '* TPP-Notification-URI': ofNotification('TPP-Notification-URI'),
  '* TPP-Notification-Content-Preferred': ofNotification('TPP-Notification-Content-Preferred'),
  'listTransactions bookingStatus': ofQuery('bookingStatus'),
  'listTransactions dateFrom': ofQuery('dateFrom'),
  'listTransactions dateTo': ofQuery('dateTo'),
  'listTransactions pageSize': ofQuery('pageSize'),
  'listTransactions itemsPerPage': ofQuery('pageSize'),
  'listTransactions pageIndex': ofQuery('pageIndex'),
  'listTransactions withBalance': ofQuery('withBalance'),
  'initiatePayment instructedAmount': { rule: 'contract 8', section: 'Money', at: 'An amount is a string' },
  'initiatePayment requestedExecutionDate': ofPayment('requestedExecutionDate'),
  'initiatePayment debtorAccount': ofPayment('debtorAccount'),
  'initiatePayment creditorAccount': ofPayment('creditorAccount'),
  'initiatePayment creditorAgent': ofPayment('creditorAgent'),
  'initiatePayment creditorAgentName': { rule: 'spec 2.4', at: 'creditorAgentName and creditorAgentAddress' },
  'initiatePayment creditorAgentAddress': {
    rule: 'spec 2.4',
    at: 'creditorAgentName and creditorAgentAddress',
  },
  'initiatePayment creditorAddress': ofPayment('addresses'),
  'initiatePayment serviceLevel': ofPayment('serviceLevel'),
  'initiatePayment chargeBearer': ofPayment('chargeBearer'),
  'initiatePayment budgetPaymentDetails': ofPayment('budgetPaymentDetails'),
  'initiatePayment remittanceInformationUnstructured': ofPayment('remittanceInformationUnstructured'),
  'initiatePayment startDate': ofOrder('startDate'),
  'initiatePayment endDate': ofOrder('endDate'),
  'initiatePayment numberOfPayments': ofOrder('numberOfPayments'),
  'initiatePayment executionRule': ofOrder('executionRule'),
  'initiatePayment frequency': ofOrder('frequency'),
  'initiatePayment dayOfExecution': ofOrder('dayOfExecution'),
  'initiatePayment monthsOfExecution': ofOrder('monthsOfExecution'),
  'initiatePayment payments': { rule: 'contract 9', section: 'Bulk payments', at: 'payments' },
  'initiatePayment batchBookingPreferred': {
    rule: 'contract 9',
    section: 'Bulk payments',
    at: 'batchBookingPreferred',
  },
  'createConsent access': ofConsent('access'),
  'createConsent combinedServiceIndicator': ofConsent('combinedServiceIndicator'),
  'createConsent frequencyPerDay': ofConsent('frequencyPerDay'),
  'createConsent recurringIndicator': ofConsent('recurringIndicator'),
  'createConsent validUntil': ofConsent('validUntil'),
};
