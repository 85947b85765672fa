import { type Failure, fail } from '@xs2a/domain/failure/failures';
import { type JsonObject, memberOf, unknownMembers } from '@xs2a/domain/form/form-checks';
import { CallFailed } from '@xs2a/domain/failure/failed';

const isStatus = (value: unknown): value is 'active' | 'blocked' => value === 'active' || value === 'blocked';

/** The body of `PATCH /sandbox/tpps/{clientId}`; the other bodies are judged by the services that take them. Throws CallFailed. */
export const readTppStatus = (body: JsonObject): { readonly status: 'active' | 'blocked' } => {
  const status = memberOf(body, 'status');
  const failures: Failure[] = unknownMembers(body, ['status'], '');
  if (status === undefined) failures.unshift(fail('fieldMissing', 'status'));
  else if (!isStatus(status)) failures.unshift(fail('fieldMalformed', 'status', 'Send active or blocked.'));
  if (!isStatus(status) || failures.length > 0) throw new CallFailed(failures);
  return { status };
};
