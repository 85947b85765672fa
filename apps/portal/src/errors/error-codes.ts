import { type FailureName, failures } from '@xs2a/domain/failure/failures';
import { ruleOf } from '@xs2a/refusals/rule-table';
import { ruleOfFailure } from '@xs2a/refusals/rules';

/** One cause for which a call fails with a code. */
export interface ErrorCase {
  readonly status: number;
  /** What the answer advises, unless it has a more specific text; several if the cause has different forms. */
  readonly texts: readonly string[];
  /** The rule of the contract or specification; code is in backticks. */
  readonly cause: string;
  /** What to do next; empty if a corrected request helps. */
  readonly remedy: readonly string[];
}

const steps: Readonly<Record<string, string>> = {
  token: 'Obtain a new access token',
  renew: 'Renew the access token with the refresh token',
  repeat: 'Repeat the request',
};

type Row = Omit<ErrorCase, 'texts'> & { readonly text: string };

const rowOf = (failure: FailureName): Row => {
  const [status, code, text] = failures[failure];
  return {
    status,
    text,
    cause: (ruleOfFailure(failure)?.text ?? '').replace(`: ${status} \`${code}\``, ':').replace(/:$/, ''),
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
    const { status, cause, remedy } = first;
    return [{ status, cause, remedy, texts: rows.map(({ text }) => text) }];
  });

/** Each error code with its cases, in alphabetical order of the codes. */
export const errorCodes: ReadonlyMap<string, readonly ErrorCase[]> = new Map(
  [...Map.groupBy(Object.keys(failures) as FailureName[], (failure): string => failures[failure][1])]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, names]) => [code, casesOf(names)]),
);
