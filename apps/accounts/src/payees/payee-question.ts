import type { PayeeQuestion } from '@xs2a/core-banking/port/payees';
import { type Failure, fail } from '@xs2a/domain/failure/failures';
import {
  getMember,
  ibanHint,
  isJsonObject,
  type JsonObject,
  unknownMembers,
} from '@xs2a/domain/form/form-checks';
import { isBic } from '@xs2a/domain/iban/bic';
import { isIban } from '@xs2a/domain/iban/iban';
import { isMaxText } from '@xs2a/domain/text/text';

const maxName = 140;
const maxIdentification = 35;
const bankLength = 8;
const leiForm = /^[A-Z0-9]{18}[0-9]{2}$/;

/** A question of another bank. */
export interface ForeignQuestion {
  readonly question: PayeeQuestion;
  /** The bank that asks: the first 8 characters of its BIC. */
  readonly agent: string;
}

type Party = Pick<Extract<PayeeQuestion, { name: string }>, 'name'> | Omit<IdentifiedQuestion, 'iban'>;
type IdentifiedQuestion = Extract<PayeeQuestion, { identification: object }>;
/** Adds the violations that it finds. */
type Found = Failure[];

/** Reads a question in the form of the scheme (contract 15), and returns every violation in the order of its members. */
export const readPayeeQuestion = (
  body: unknown,
  ownBic: string,
): ForeignQuestion | { readonly failures: readonly Failure[] } => {
  if (!isJsonObject(body)) return { failures: [fail('bodyNotJson')] };
  const found: Found = [];
  const party = readParty(body, found);
  const account = readObject(body, 'partyAccount', ['iban'], '', found);
  const iban = account && getMember(account, 'iban');
  if (account !== undefined && !isIban(iban)) found.push(malformed(iban, 'partyAccount.iban', ibanHint));
  const asked = readAgent(body, 'partyAgent', found);
  if (asked !== undefined && asked.slice(0, bankLength) !== ownBic.slice(0, bankLength))
    found.push(
      fail('fieldMalformed', 'partyAgent', 'This is not the BIC of this bank. Ask the bank that it names.'),
    );
  const agent = readAgent(body, 'requestingAgent', found);
  found.push(...unknownMembers(body, ['party', 'partyAccount', 'partyAgent', 'requestingAgent'], ''));
  if (found.length > 0 || party === undefined || !isIban(iban) || agent === undefined)
    return { failures: found };
  return { question: { iban, ...party }, agent: agent.slice(0, bankLength) };
};

const malformed = (value: unknown, path: string, hint: string): Failure =>
  value === undefined ? fail('fieldMissing', path) : fail('fieldMalformed', path, hint);

/** Returns a member that must be an object with only these members. */
const readObject = (
  parent: JsonObject,
  name: string,
  members: readonly string[],
  parentPath: string,
  found: Found,
): JsonObject | undefined => {
  const path = parentPath === '' ? name : `${parentPath}.${name}`;
  const value = getMember(parent, name);
  if (!isJsonObject(value)) {
    found.push(malformed(value, path, `Send an object with ${members.join(' or ')}.`));
    return undefined;
  }
  found.push(...unknownMembers(value, members, path));
  return value;
};

const readAgent = (body: JsonObject, name: string, found: Found): string | undefined => {
  const agent = readObject(body, name, ['financialInstitutionId'], '', found);
  const institution = agent && readObject(agent, 'financialInstitutionId', ['bicfi'], name, found);
  if (institution === undefined) return undefined;
  const bic = getMember(institution, 'bicfi');
  if (typeof bic === 'string' && isBic(bic)) return bic;
  found.push(malformed(bic, `${name}.financialInstitutionId.bicfi`, 'Send a BIC of 8 or 11 characters.'));
  return undefined;
};

const readParty = (body: JsonObject, found: Found): Party | undefined => {
  const party = readObject(body, 'party', ['name', 'identification'], '', found);
  if (party === undefined) return undefined;
  const name = getMember(party, 'name');
  if ((name === undefined) === (getMember(party, 'identification') === undefined)) {
    found.push(fail('fieldMalformed', 'party', 'Send either name or identification.'));
    return undefined;
  }
  if (name === undefined) return readIdentification(party, found);
  if (isMaxText(name, maxName)) return { name };
  found.push(fail('fieldMalformed', 'party.name', `Send a name of 1 to ${maxName} characters.`));
  return undefined;
};

const readIdentification = (party: JsonObject, found: Found): Party | undefined => {
  const identification = readObject(party, 'identification', ['organisationId'], 'party', found);
  const parent = 'party.identification';
  const organisation =
    identification && readObject(identification, 'organisationId', ['lei', 'others'], parent, found);
  if (organisation === undefined) return undefined;
  const path = `${parent}.organisationId`;
  const [lei, others] = [getMember(organisation, 'lei'), getMember(organisation, 'others')];
  if ((lei === undefined) === (others === undefined)) {
    found.push(fail('fieldMalformed', path, 'Send either lei or others.'));
    return undefined;
  }
  if (others === undefined) {
    if (typeof lei === 'string' && leiForm.test(lei)) return { identification: { type: 'LEI', value: lei } };
    found.push(fail('fieldMalformed', `${path}.lei`, 'Send an LEI of 20 characters (ISO 17442).'));
    return undefined;
  }
  const [other] = Array.isArray(others) && others.length === 1 ? others : [];
  const value = isJsonObject(other) ? getMember(other, 'identification') : undefined;
  if (isJsonObject(other)) found.push(...unknownMembers(other, ['identification'], `${path}.others[0]`));
  if (isMaxText(value, maxIdentification)) return { identification: { type: 'EIK', value } };
  const hint = `Send one object with an identification of 1 to ${maxIdentification} characters.`;
  found.push(fail('fieldMalformed', `${path}.others`, hint));
  return undefined;
};
