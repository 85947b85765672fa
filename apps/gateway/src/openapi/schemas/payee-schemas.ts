import { payeeVerdicts } from '@xs2a/domain/payee/payee-verdict';
import { withOutcomes } from './instant-schemas.js';
import { bicPattern } from './patterns.js';
import { listOf, matching, object, oneOf, ref, type Schema, sentText, text } from './schema-parts.js';

const agent = (description: string): Schema =>
  object(
    { financialInstitutionId: object({ bicfi: matching('BIC of 8 or 11 characters', bicPattern) }) },
    description,
  );
/** Excludes both and neither of two members. */
const either = (first: string, second: string): Schema => ({
  anyOf: [{ required: [first, second] }, { not: { anyOf: [{ required: [first] }, { required: [second] }] } }],
});

const payeeSchemas: Readonly<Record<string, Schema>> = {
  RegisterNumber: object({ identification: sentText('Register number, such as an EIK', 35) }),
  PayeeQuestion: object({
    party: {
      ...object({
        'name?': sentText('Name of the payee', 140),
        'identification?': object({
          organisationId: {
            ...object({
              'lei?': matching('LEI (ISO 17442)', '^[A-Z0-9]{18}[0-9]{2}$'),
              'others?': {
                ...listOf(ref('RegisterNumber')),
                minItems: 1,
                maxItems: 1,
              },
            }),
            not: either('lei', 'others'),
          },
        }),
      }),
      description: 'Either a name or an identification',
      not: either('name', 'identification'),
    },
    partyAccount: object({ iban: ref('Iban') }),
    partyAgent: agent('This bank'),
    requestingAgent: agent('The bank that asks'),
  }),
  PayeeVerification: object(
    {
      result: oneOf(
        'Whether the payee’s name matches the holder of the account; OPTED_OUT: the company that pays has opted out',
        ...payeeVerdicts,
        'OPTED_OUT',
      ),
      verifiedAt: { type: 'string', format: 'date-time', description: 'When the answer came' },
    },
    'The verification of the payee; absent until the PSU has been shown its result',
  ),
  PayeeAnswer: object({
    'partyNameMatch?': oneOf(
      'MTCH: the name matches; CMTC: it almost matches; NMTC: it does not match; NOAP: it cannot be verified',
      'MTCH',
      'CMTC',
      'NMTC',
      'NOAP',
    ),
    'matchedName?': text('With CMTC: the holder’s name in Latin letters', 140),
    'partyIdMatch?': oneOf('The same for an identification', 'MTCH', 'NMTC', 'NOAP'),
  }),
};

const verdictSimulated = 'the verification of the payees of a payment has this result';
/** Simulated outcomes of the verification; each name as in `POST /sandbox/simulate`. */
const outcomes = {
  'payee-match': verdictSimulated,
  'payee-close': verdictSimulated,
  'payee-no-match': verdictSimulated,
  'payee-not-possible': verdictSimulated,
  'payee-slow': 'the verification takes 2 seconds longer',
};

/** The schemas of what has one payee, as GET shows it. */
const ofOnePayee = new Set(['PaymentDetails', 'PeriodicPaymentDetails', 'BulkEntryDetails']);

/** Adds the schemas of a profile that verifies payees (contract 15). */
export const withPayees = (schemas: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> => ({
  ...schemas,
  ...Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) =>
      ofOnePayee.has(name)
        ? [
            [
              name,
              {
                ...schema,
                properties: {
                  ...Object(schema['properties']),
                  payeeVerification: ref('PayeeVerification'),
                },
              },
            ],
          ]
        : [],
    ),
  ),
  ...payeeSchemas,
  Simulation: withOutcomes(schemas['Simulation'], outcomes),
});
