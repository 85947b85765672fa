import { isIban } from '@xs2a/domain/iban/iban';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { BankFault } from '../port/bank-fault.js';
import type { BankError, BankMessages, BankSubject } from './bank-messages.js';
import bankMessages from './generated/bank-messages.schema.json' with { type: 'json' };

type Schemas = Readonly<Record<BankSubject, { readonly request: object; readonly answer: object }>>;
const schemas = bankMessages as { readonly error: object; readonly messages: Schemas };

const ajv = new Ajv({ strict: false });
addFormats.default(ajv, ['date', 'date-time', 'uuid']);
ajv.addFormat('iban', isIban);

const validators = new Map<BankSubject, ValidateFunction>();

/**
 * Compiles a validator only when the first response arrives, because compiling all of them takes half a second and
 * the sandbox bank needs none.
 */
const compileValidator = (subject: BankSubject): ValidateFunction => {
  const known = validators.get(subject);
  if (known !== undefined) return known;
  const { answer } = schemas.messages[subject];
  const validate = ajv.compile({
    oneOf: [
      { type: 'object', required: ['ok'], properties: { ok: answer }, additionalProperties: false },
      {
        type: 'object',
        required: ['error'],
        properties: { error: schemas.error },
        additionalProperties: false,
      },
    ],
  });
  validators.set(subject, validate);
  return validate;
};

/**
 * Parses the response of a bank. Throws BankFault with the bank's error, or with `answer-malformed` and the
 * location of the first fault, never its value.
 */
export const readAnswer = <Subject extends BankSubject>(
  subject: Subject,
  data: Uint8Array,
): BankMessages[Subject]['answer'] => {
  const reply = parsed(data);
  const validate = compileValidator(subject);
  if (!validate(reply)) throw new BankFault('answer-malformed', describePlace(validate));
  const known = reply as { readonly ok: BankMessages[Subject]['answer'] } | { readonly error: BankError };
  if ('ok' in known) return known.ok;
  throw new BankFault(known.error.code, undefined, known.error.retryAfterSeconds);
};

const parsed = (data: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(data));
  } catch {
    throw new BankFault('answer-malformed', 'The answer is not JSON in UTF-8.');
  }
};

/**
 * The location of the fault. It is the deepest one reported, because that one belongs to the schema alternative
 * that fits the response best.
 */
const describePlace = ({ errors }: ValidateFunction): string => {
  const [error] = [...(errors ?? [])].sort(
    (one, other) => other.instancePath.length - one.instancePath.length,
  );
  return `${error?.instancePath || '/'} fails ${error?.keyword ?? 'the schema'}`;
};
