const readErrorCode = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) return undefined;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : undefined;
};

/** A row with this key exists already (SQLSTATE 23505). */
export const isUniqueViolation = (error: unknown): boolean => readErrorCode(error) === '23505';

/** A column that has to have a value got none (23502). */
export const isNotNullViolation = (error: unknown): boolean => readErrorCode(error) === '23502';

/** A lock was not had within `lock_timeout` (55P03). */
export const isLockTimeout = (error: unknown): boolean => readErrorCode(error) === '55P03';

/** Two transactions waited for each other, or one must be repeated (40P01, 40001). */
export const isTransient = (error: unknown): boolean =>
  ['40P01', '40001'].includes(readErrorCode(error) ?? '');

/** An error that concerns some rows of a statement (bad data, a key that is taken, a lock): the other rows can do without them. */
export const concernsSomeRows = (error: unknown): boolean =>
  /^(21|22|23|40)|^55P03$/.test(readErrorCode(error) ?? '');

/** The server ended a statement, or its transaction, since it took too long (57014, 25P04); one over fewer rows may succeed. */
export const isTooSlow = (error: unknown): boolean => ['57014', '25P04'].includes(readErrorCode(error) ?? '');

/** The server did not answer a statement at all: its connection is good for nothing more. */
export const isUnanswered = (error: unknown): error is Error =>
  error instanceof Error && error.message === 'Query read timeout';

/** The server is a standby that was not promoted yet (25006): the address leads to it too early. */
const readOnly = '25006';
/** Node does not accept the certificate of the server: it expired, has another name, or nobody trusted signed it. */
const certificateRefused =
  /^(CERT_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CRL_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_|HOSTNAME_MISMATCH$)/;
const lostMessages =
  /query read timeout|connection terminated|connection ended|timeout exceeded|does not support SSL|client has encountered a connection error|not queryable/i;

/**
 * The database is away, starting, shutting down, a standby, full, too slow (25P04: the transaction took too long) or shows
 * a certificate that is not accepted: trying again may help.
 */
export const isUnavailable = (error: unknown): boolean => {
  const code = readErrorCode(error);
  if (code !== undefined) {
    return (
      /^(08|53|57P|58)/.test(code) ||
      code === '57014' ||
      code === '55P03' ||
      code === '25P04' ||
      code === readOnly ||
      certificateRefused.test(code) ||
      /^(ECONN|EPIPE|ETIMEDOUT|ENOENT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/.test(code)
    );
  }
  return error instanceof Error && lostMessages.test(error.message);
};
