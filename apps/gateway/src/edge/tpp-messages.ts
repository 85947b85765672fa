import { proofAlgorithms } from '@xs2a/contracts/auth.contract';
import {
  type Failure,
  type FailureName,
  failures as table,
  listFailures,
} from '@xs2a/domain/failure/failures';

export interface TppMessage {
  readonly category: 'ERROR' | 'WARNING';
  readonly code: string;
  readonly path?: string;
  readonly text: string;
}

/** An HTTP response that refuses a request. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly tppMessages: readonly TppMessage[] };
}

const textLimit = 500;

/** The message of one failure: its own text if it has one, otherwise the text of its row (contract 3). */
export const toTppMessage = ({ failure, path, text }: Failure): TppMessage => {
  const [, code, ordinary] = table[failure];
  return {
    category: 'ERROR',
    code,
    path,
    text: (text ?? ordinary).slice(0, textLimit),
  };
};

/** The error code of a refusal; undefined if the request was not refused. */
export const readCode = (refusal: Failure | undefined): string | undefined =>
  refusal && table[refusal.failure][1];

/**
 * The authentication schemes offered with a 401. Under FAPI 2.0 only DPoP is offered, because that profile accepts
 * no token without a proof from its sender.
 */
export type Challenges = 'Bearer' | 'DPoP';

/** The WWW-Authenticate header for a failure (RFC 6750 §3, RFC 9449 §7.1). */
const makeChallenge = (failure: FailureName, challenges: Challenges): string => {
  const algorithms = `algs="${proofAlgorithms.join(' ')}"`;
  const ofProof = failure === 'proofInvalid' ? `DPoP error="invalid_dpop_proof", ${algorithms}` : undefined;
  if (challenges === 'DPoP') return ofProof ?? `DPoP ${algorithms}`;
  return ofProof === undefined ? 'Bearer' : `Bearer, ${ofProof}`;
};

/**
 * The status and headers of the first failure with the messages of all failures; an internal error if there are
 * none. `errorPages`: the URL under which each code has a page, for a `Link` (RFC 8288).
 */
export const toRefusal = (
  failures: readonly Failure[],
  challenges: Challenges = 'Bearer',
  errorPages?: string,
): Refusal => {
  const first: Failure = failures[0] ?? { failure: 'internal' };
  const [status, code] = table[first.failure];
  const retryAfter = first.retryAfter ?? (status === 503 ? 1 : undefined);
  return {
    status,
    headers: {
      ...(status === 401 ? { 'www-authenticate': makeChallenge(first.failure, challenges) } : {}),
      ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfter))) }),
      ...(errorPages === undefined ? {} : { link: `<${errorPages}${code}>; rel="help"` }),
    },
    body: {
      tppMessages: listFailures(failures.length === 0 ? [first] : failures).map(toTppMessage),
    },
  };
};
