import { type FailureName, failures } from '@xs2a/domain/failure/failures';
import type { Profile } from '@xs2a/domain/profile/profile';
import { ruleOf } from '@xs2a/refusals/rule-table';
import { ruleOfFailure } from '@xs2a/refusals/rules';
import type { ErrorCase } from './error-case.js';
import { rewordedRule } from './rewordings.js';
import { statusCases } from './status-cases.js';

const steps: Readonly<Record<string, string>> = {
  token: 'Obtain a new access token',
  renew: 'Renew the access token with the refresh token',
  repeat: 'Repeat the request',
  products: 'Repeat the request under a product of its payment service',
};

type Row = Omit<ErrorCase, 'texts'> & { readonly text: string };

/** The codes with which a row of the contract answers, and the rest of the row. */
const answerOfRow = /: (\d{3} `[A-Z_]+`(?:, \d{3} `[A-Z_]+`)*)(?:,? (with .+)|;( .+))?$/;

/**
 * Returns the text of a contract row without the status and code at its end. A row that does not answer with `answer`, such
 * as 409 `STATUS_INVALID`, is returned unchanged.
 */
const withoutAnswer = (row: string, answer: string): string =>
  row.replace(answerOfRow, (whole, answers: string, attached?: string, further?: string) => {
    if (!answers.includes(answer)) return whole;
    if (attached !== undefined) return ` (${attached})`;
    return further === undefined ? '' : `;${further}`;
  });

const rowOf = (failure: FailureName): Row => {
  const [status, code, text] = failures[failure];
  return {
    status,
    text,
    ...(ruleOfFailure(failure)?.rule === 'contract 15' ? { offer: 'payee-verification' } : {}),
    cause: withoutAnswer(rewordedRule(ruleOfFailure(failure)?.text ?? ''), `${status} \`${code}\``),
    remedy: (ruleOf[failure].steps ?? []).map((step) => steps[step] ?? step),
  };
};

/** Combines the failures of a code that have the same status, cause and remedy. */
const casesOf = (names: readonly FailureName[]): readonly ErrorCase[] =>
  [
    ...Map.groupBy(names.map(rowOf), ({ status, cause, remedy }) => JSON.stringify([status, cause, remedy])),
  ].flatMap(([, rows]) => {
    const [first] = rows;
    if (first === undefined) return [];
    const { text: _text, ...shared } = first;
    return [{ ...shared, texts: rows.map(({ text }) => text) }];
  });

const ofCalls: readonly (readonly [string, readonly ErrorCase[]])[] = [
  ...Map.groupBy(Object.keys(failures) as FailureName[], (failure): string => failures[failure][1]),
].map(([code, names]) => [code, casesOf(names)]);

/**
 * Each error code with its causes, in alphabetical order of the codes. The causes of refused calls precede the causes
 * in the status of payments and baskets.
 */
export const errorCodes: ReadonlyMap<string, readonly ErrorCase[]> = new Map(
  [...Map.groupBy([...ofCalls, ...statusCases], ([code]) => code)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, rows]) => [code, rows.flatMap(([, cases]) => cases)]),
);

const isOffered = ({ offer }: ErrorCase, profile: Profile): boolean =>
  offer === undefined ||
  {
    'payee-verification': profile.payeeVerification !== 'off',
    'instant-payments': profile.instant !== undefined,
    euro: profile.standard === 'euro',
  }[offer];

/** True if a bank with this profile returns the code. */
export const isReturnedAt = (code: string, profile: Profile): boolean =>
  errorCodes.get(code)?.some((one) => isOffered(one, profile)) ?? false;

/**
 * Returns the causes of a code that a bank with this profile has, or every cause if it has none; undefined for an
 * unknown code.
 */
export const casesAt = (code: string, profile: Profile): readonly ErrorCase[] | undefined => {
  const all = errorCodes.get(code);
  const offered = all?.filter((one) => isOffered(one, profile)) ?? [];
  return offered.length === 0 ? all : offered;
};
