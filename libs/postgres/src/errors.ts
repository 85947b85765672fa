const readErrorCode = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) return undefined;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : undefined;
};

/** True if a row with this key already exists (SQLSTATE 23505). */
export const isUniqueViolation = (error: unknown): boolean => readErrorCode(error) === '23505';

/** True if a NOT NULL column was given no value (23502). */
export const isNotNullViolation = (error: unknown): boolean => readErrorCode(error) === '23502';

/** True if a lock was not obtained within `lock_timeout` (55P03). */
export const isLockTimeout = (error: unknown): boolean => readErrorCode(error) === '55P03';

/** True for a deadlock or a serialization failure, after which the transaction must be repeated (40P01, 40001). */
export const isTransient = (error: unknown): boolean =>
  ['40P01', '40001'].includes(readErrorCode(error) ?? '');

/**
 * SQLSTATE with which the tables of payments and of the ledger refuse rows while the bank switches to euro
 * (contract E6.1).
 */
export const switchOverUnderWay = '55X01';

/**
 * True if the error is caused by some rows of a statement (bad data, a duplicate key, a lock); the other rows can
 * succeed without them.
 */
export const concernsSomeRows = (error: unknown): boolean =>
  /^(21|22|23|40)|^55(P03|X01)$/.test(readErrorCode(error) ?? '');

/**
 * True if the server cancelled a statement or its transaction after a timeout (57014, 25P04). A statement with
 * fewer rows may succeed.
 */
export const isTooSlow = (error: unknown): boolean => ['57014', '25P04'].includes(readErrorCode(error) ?? '');

/** True if the server did not reply to a statement, which makes its connection unusable. */
export const isUnanswered = (error: unknown): error is Error =>
  error instanceof Error && error.message === 'Query read timeout';

/** SQLSTATE of a server that is a standby not yet promoted (25006): the address was switched to it too early. */
const readOnly = '25006';
/** Matches the errors with which Node rejects the server's certificate: expired, wrong name, or untrusted issuer. */
const certificateRefused =
  /^(CERT_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CRL_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_|HOSTNAME_MISMATCH$)/;
const lostMessages =
  /query read timeout|connection terminated|connection ended|timeout exceeded|does not support SSL|client has encountered a connection error|not queryable/i;

/**
 * True if the database is down, starting, shutting down, a standby, full or too slow (25P04: transaction timeout),
 * if the bank switches to euro, or if it presents a certificate that is rejected. A retry may succeed.
 */
export const isUnavailable = (error: unknown): boolean => {
  const code = readErrorCode(error);
  if (code !== undefined) {
    return (
      /^(08|53|57P|58)/.test(code) ||
      code === '57014' ||
      code === '55P03' ||
      code === switchOverUnderWay ||
      code === '25P04' ||
      code === readOnly ||
      certificateRefused.test(code) ||
      /^(ECONN|EPIPE|ETIMEDOUT|ENOENT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/.test(code)
    );
  }
  return error instanceof Error && lostMessages.test(error.message);
};
